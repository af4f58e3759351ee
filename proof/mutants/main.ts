/**
 * `npm run mutants`: breaks the engine on purpose, one breakage at a time, in a throw-away copy; the tests must notice each.
 * `-- --only NAME` tries one (again and again for several), `-- --list` names them all, `-- --save` writes the kill table.
 */
import { rmSync } from "node:fs";
import { chmod, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { TestProject } from "vitest/node";
import startPostgres from "../../lib/testing/setup/postgres.global-setup";
import { asLine, asPage, tally } from "./kill-table";
import type { Mutant } from "./mutant";
import { mutants } from "./mutants";
import { ProjectCopy } from "./project-copy";
import { runTests } from "./run-tests";
import { type Trial, tryAll } from "./trial";

const AT_ONCE = 2;
const KILL_TABLE = fileURLToPath(new URL("../../docs/kill-table.md", import.meta.url));

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function chosen(names: readonly string[] | undefined): Mutant[] {
  const unknown = names?.filter((name) => !mutants.some((mutant) => mutant.name === name)) ?? [];
  if (unknown.length > 0)
    throw new Error(`There is no mutant ${unknown.join(", ")}. See \`npm run mutants -- --list\`.`);
  return names ? mutants.filter(({ name }) => names.includes(name)) : mutants;
}

/** Nothing is proven by a mutant that changes nothing, or by a test that fails anyway. */
async function whatIsWrong(copies: readonly ProjectCopy[], given: readonly Mutant[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const mutant of given) {
    const why = await copies[0]?.whyNotApplicable(mutant);
    if (why) wrong.push(`${mutant.name} cannot be applied to ${mutant.file}: ${why}.`);
  }
  if (wrong.length > 0) return wrong;
  const files = [...new Set(given.flatMap(({ killedBy }) => killedBy))];
  const runs = await Promise.all(
    copies.map((copy, index) => {
      const share = files.filter((_, place) => place % copies.length === index);
      return runTests(copy.root, share, { bail: false });
    }),
  );
  const passed = runs.reduce((sum, run) => sum + run.passed, 0);
  const seconds = Math.max(...runs.map((run) => run.seconds));
  say(`${passed} tests of ${files.length} files pass without any mutant (${seconds.toFixed(1)} s).\n`);
  return runs.flatMap(({ failed, trouble }) =>
    failed.length === 0 && trouble !== undefined
      ? [trouble]
      : failed.map(({ file, test }) => `Fails without any mutant: ${test} (${file})`),
  );
}

/** One server for all, and a copy of the project for each mutant that is tried at the same time. */
async function inCopies<Result>(count: number, work: (copies: ProjectCopy[]) => Promise<Result>): Promise<Result> {
  const provided: Record<string, unknown> = {};
  const provide = (name: string, value: unknown) => {
    provided[name] = value;
  };
  const stopPostgres = await startPostgres({ provide } as unknown as TestProject);
  const dir = await mkdtemp(join(tmpdir(), "handrail-mutants-"));
  process.once("exit", () => rmSync(dir, { recursive: true, force: true }));
  try {
    await chmod(dir, 0o755);
    const copies: ProjectCopy[] = [];
    for (let index = 1; index <= count; index++)
      copies.push(await ProjectCopy.make(join(dir, `copy-${index}`), provided));
    return await work(copies);
  } finally {
    await stopPostgres();
  }
}

const asEntry = ({ name, promise, breaks }: Mutant) => `${name.padEnd(36)} ${promise.padEnd(4)} ${breaks}`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: "string", multiple: true },
      list: { type: "boolean", default: false },
      save: { type: "boolean", default: false },
    },
  });
  const given = chosen(values.only);
  if (values.list) return given.map(asEntry).forEach(say);
  const trials = await inCopies(Math.min(AT_ONCE, given.length), async (copies) => {
    const wrong = await whatIsWrong(copies, given);
    for (const line of wrong) say(line);
    return wrong.length > 0 ? [] : tryAll(copies, given, (trial) => say(asLine(trial)));
  });
  await report(trials, values.save);
}

async function report(trials: readonly Trial[], save: boolean): Promise<void> {
  if (trials.length > 0) say(`\n${tally(trials)}`);
  if (save && trials.length > 0) await writeFile(KILL_TABLE, asPage(trials, new Date()));
  if (trials.length === 0 || trials.some(({ outcome }) => outcome !== "killed")) process.exitCode = 1;
}

// When interrupted, it ends what it started; the next run of the tests removes the database server.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

await main();
