import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { migrate } from "../../../lib/store/migrations/migrate";
import { startEmbeddedPostgres } from "../../../scripts/postgres/embedded";
import { atMost, type Figure, ms } from "../figure";
import type { Took } from "./ask";
import { makeDatabase, type Size } from "./database";
import { pagesOf } from "./pages";

/** Where the databases stay, to be used again: BENCH_CONSOLE_DIR. Ten million runs are made once, and take 20 GB. */
const DIR = process.env.BENCH_CONSOLE_DIR ?? path.join(tmpdir(), "handrail-bench-console");
/** The sizes to measure: BENCH_CONSOLE_SIZES, such as `100k,1m`. */
const ASKED = (process.env.BENCH_CONSOLE_SIZES ?? "100k,1m,10m").split(",") as Size[];
/** Of each call, after a first one. */
const TIMES = 15;
const MOST_MS = 100;
/** Anything below is noise compared with the growth. */
const LEAST_MS = 10;
const MOST_GROWTH = 2;

/** Every read of the console against databases of one shape and several sizes, through the routes' handlers. */
export const consoleReads = () => overSizes(readsOf);

/** The pages themselves. */
export const consolePages = () => overSizes((url) => pagesOf(url, TIMES));

async function overSizes(measure: (url: string) => Promise<Took[]>): Promise<Figure[]> {
  const took = new Map<Size, Took[]>();
  for (const size of ASKED) await makeDatabase(DIR, size);
  const server = await startEmbeddedPostgres({ dir: path.join(DIR, "postgres") });
  try {
    for (const size of ASKED) {
      const url = server.url(`console_${size}`);
      await migrate(url);
      took.set(size, await measure(url));
    }
  } finally {
    await server.stop();
  }
  return figuresOf(took);
}

async function readsOf(url: string): Promise<Took[]> {
  const child = fileURLToPath(new URL("child.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", child, url, `${TIMES}`], {
    maxBuffer: 10_000_000,
  });
  return JSON.parse(stdout.slice(stdout.indexOf("["))) as Took[];
}

/** The smallest size beside the largest: p95 of each call, and its growth. */
function figuresOf(took: Map<Size, Took[]>): Figure[] {
  const sizes = [...took.keys()];
  const [small, large] = [sizes[0] as Size, sizes.at(-1) as Size];
  const before = new Map((took.get(small) ?? []).map((one) => [one.name, one]));
  return (took.get(large) ?? []).flatMap(({ name, first, p50, p95 }) => {
    const growth = Math.max(p50, LEAST_MS) / Math.max(before.get(name)?.p50 ?? p50, LEAST_MS);
    return [
      {
        measure: `${name}, p95 at ${large}`,
        measured: `p50 ${ms(p50)}, p95 ${ms(p95)}, first ${ms(first)}`,
        value: p95,
        target: atMost(MOST_MS),
      },
      {
        measure: `${name}, ${large} against ${small}`,
        measured: `p50 ${ms(p50)} against ${ms(before.get(name)?.p50 ?? p50)}`,
        value: growth,
        target: atMost(MOST_GROWTH),
      },
    ];
  });
}
