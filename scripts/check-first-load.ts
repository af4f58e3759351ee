/** `tsx scripts/check-first-load.ts`, after a build: what JavaScript each page loads before it can be used, against the budget. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";

/** Bytes as gzip leaves them, a page. */
const BUDGET = 250_000;

const BUILT = ".next";
const MANIFEST = "page_client-reference-manifest.js";

interface Manifest {
  entryJSFiles: Record<string, string[]>;
}

const read = (file: string) => readFileSync(path.join(BUILT, file), "utf8");

/** The pages of the build, and of each what its layouts and itself load at once. */
function filesOfPages(): Map<string, Set<string>> {
  const everywhere: string[] = JSON.parse(read("build-manifest.json")).rootMainFiles;
  const found = readdirSync(path.join(BUILT, "server/app"), { recursive: true, encoding: "utf8" });
  const pages = new Map<string, Set<string>>();
  for (const file of found.filter((name) => path.basename(name) === MANIFEST)) {
    const context: { globalThis: { __RSC_MANIFEST: Record<string, Manifest> } } = {
      globalThis: { __RSC_MANIFEST: {} },
    };
    runInNewContext(read(path.join("server/app", file)), context);
    for (const [page, { entryJSFiles }] of Object.entries(context.globalThis.__RSC_MANIFEST))
      pages.set(page.replace(/\/page$/, "") || "/", new Set([...everywhere, ...Object.values(entryJSFiles).flat()]));
  }
  return pages;
}

const sizes = new Map<string, number>();
function sizeOf(file: string): number {
  const size = sizes.get(file) ?? gzipSync(readFileSync(path.join(BUILT, file))).length;
  sizes.set(file, size);
  return size;
}

let failed = 0;
for (const [page, files] of [...filesOfPages()].sort(([a], [b]) => (a < b ? -1 : 1))) {
  const size = [...files].reduce((sum, file) => sum + sizeOf(file), 0);
  if (size > BUDGET) failed++;
  const says = size > BUDGET ? "  over the budget" : "";
  process.stdout.write(`${page.padEnd(40)} ${(size / 1_000).toFixed(1).padStart(7)} kB${says}\n`);
}
process.stdout.write(`\nThe budget is ${BUDGET / 1_000} kB of JavaScript a page, compressed.\n`);
if (failed > 0)
  process.stdout.write(
    "Load what nobody sees at first with `later` (components/ui/later.tsx), and import nothing on the client that needs Node.\n",
  );
process.exitCode = failed > 0 ? 1 : 0;
