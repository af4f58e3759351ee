/**
 * `npm run adopt`: adopts the packed packages as a stranger does, in empty folders, one path after the other, and prints a
 * table. `npm run adopt -- quickstart upgrade` walks these two. It needs a registry, and Linux.
 */
import { spawnSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { packConsole } from "../../../scripts/pack/console/pack-console";
import { pack } from "../../../scripts/pack/pack";
import { ROOT } from "../../../scripts/pack/tarball";
import { removeEmbeddedPostgres, startEmbeddedPostgres } from "../../../scripts/postgres/embedded";
import { NEEDED } from "./needed";
import { paths } from "./paths";
import type { Path } from "./scene";
import { tableOf, type Walked, walk } from "./walk";

function refuseWithout(programs: readonly string[]): void {
  const missing = programs.filter((program) => spawnSync(program, ["--version"]).status !== 0);
  if (process.platform !== "linux" || missing.length > 0)
    throw new Error(
      `It needs Linux, and the programs ${programs.join(" and ")} there. Missing: ${missing.join(", ") || "Linux"}.`,
    );
}

let isInterrupted = false;
/** Rejects at Ctrl-C, so that what was started can be ended. */
const interrupted = new Promise<never>((_, reject) => {
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => {
      isInterrupted = true;
      reject(new Error(`${signal} came.`));
    });
});
interrupted.catch(() => undefined); // no path may be walked when it comes

function chosen(names: readonly string[]): readonly Path[] {
  const unknown = names.filter((name) => !paths.some((one) => one.name === name));
  if (unknown.length > 0)
    throw new Error(`There is no path ${unknown.join(", ")}. There are ${paths.map(({ name }) => name).join(", ")}.`);
  return names.length === 0 ? paths : paths.filter(({ name }) => names.includes(name));
}

const once = <Given>(work: () => Promise<Given>) => {
  let given: Promise<Given> | undefined;
  return () => {
    given ??= work();
    return given;
  };
};

async function main(): Promise<void> {
  const wanted = chosen(process.argv.slice(2));
  refuseWithout(NEEDED);
  await mkdir(path.join(ROOT, ".handrail"), { recursive: true });
  const packed = await mkdtemp(path.join(ROOT, ".handrail/adopt-"));
  const data = await mkdtemp(path.join(tmpdir(), "handrail-adopt-"));
  await chmod(data, 0o755); // as root, PostgreSQL runs as another user, who needs access
  const postgres = await startEmbeddedPostgres({ dir: path.join(data, "postgres") });
  const walked: Walked[] = [];
  try {
    const shared = {
      postgresUrl: postgres.url("postgres"),
      tarball: once(async () => (await pack(packed)).tarball),
      consoleTarball: once(async () => (await packConsole(packed)).tarball),
    };
    for (const one of wanted) if (!isInterrupted) walked.push(await walk(one, shared, console.log, interrupted));
  } finally {
    await postgres.stop();
    await removeEmbeddedPostgres(path.join(data, "postgres"));
    for (const folder of [packed, data]) await rm(folder, { recursive: true, force: true });
  }
  const failures = walked.flatMap(({ path: { name }, failures }) => failures.map((failure) => `${name}: ${failure}`));
  for (const failure of failures) console.error(`\n${failure}`);
  console.log(["", ...tableOf(walked)].join("\n"));
  process.exitCode = failures.length === 0 ? 0 : 1;
}

// What a path that was interrupted still waits for must not keep us here.
main().then(
  () => process.exit(),
  (error: Error) => {
    console.error(error.message);
    process.exit(1);
  },
);
