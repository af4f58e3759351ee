import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it, type TestContext } from "vitest";
import { AS_PID_1, canBePid1 } from "../../lib/testing/processes/as-pid-1";
import { kill, processesOf } from "../../lib/testing/processes/launched";
import { until } from "../../lib/testing/until";
import { aDatabaseOfTheApp, type InstalledApp } from "./installed-app";

const RUNS = 20;
/** As an app that holds a connection. */
export const STAYS = "setInterval(() => undefined, 1_000);\nexport default { workflows: [] };\n";

/** `handrail worker` of the installed package, which loads the TypeScript of the app. */
export function workerCases(appOf: () => InstalledApp): void {
  describe("handrail worker", () => {
    it.skipIf(!canBePid1)(
      "of a CommonJS app, as process 1 of a container: TERM lets 20 `once` steps finish (skipped where `unshare` is not permitted)",
      ({ onTestFinished }) => stopsAsPid1(appOf(), onTestFinished),
    );
    it("goes on when nobody reads what it says, and drains at the first TERM also while a migration asks for that", ({
      onTestFinished,
    }) => drainsUnread(appOf(), onTestFinished));
    it("says what is wrong with a configuration, and where", () => saysWhatIsWrongInFiles(appOf()));
    it("says what is wrong with its database", ({ onTestFinished }) => saysWhatIsWrong(appOf(), onTestFinished));
  });
}

async function stopsAsPid1(app: InstalledApp, atEnd: TestContext["onTestFinished"]): Promise<void> {
  const { pool, env } = await aDatabaseOfTheApp(atEnd);
  await app.handrail("migrate", { env });
  const [program = "", ...before] = [...AS_PID_1, app.command];
  const container = spawn(program, [...before, "worker"], { cwd: path.join(app.folder, "cjs"), env });
  atEnd(() => void container.kill("SIGKILL"));
  let said = "";
  container.stderr.on("data", (text) => (said += text));
  await until("The worker's readiness", () => said.includes('"msg":"ready"') || container.exitCode !== null);
  await pool.query(`select handrail.start_run('slow', '{}') from generate_series(1, ${RUNS})`);
  const steps = async () =>
    (await pool.query<{ status: string; output: string }>("select status, output from handrail.step")).rows;
  await until(`${RUNS} steps in flight`, async () => {
    const found = await steps();
    return found.length === RUNS && found.every(({ status }) => status === "running");
  });
  // As `docker stop` does. Nothing is between process 1 and the worker: no npm, no shell.
  const inside = processesOf(env.DATABASE_URL).filter(({ command }) => !command.startsWith("unshare"));
  expect(inside.map(({ command }) => command)).toEqual([expect.stringContaining("handrail worker")]);
  kill(inside[0]?.pid as number, "SIGTERM");
  const [code] = await once(container, "exit");
  expect({ code, said }).toMatchObject({ code: 0 });
  expect(await steps()).toEqual(Array.from({ length: RUNS }, () => ({ status: "completed", output: '"src"' })));
}

async function drainsUnread(app: InstalledApp, atEnd: TestContext["onTestFinished"]): Promise<void> {
  const { pool, env } = await aDatabaseOfTheApp(atEnd);
  await app.handrail("migrate", { env });
  const worker = spawn(app.command, ["worker"], { cwd: path.join(app.folder, "cjs"), env });
  atEnd(() => void worker.kill("SIGKILL"));
  const has = async (text: string) => (await pool.query(text)).rows.length > 0;
  await until("The worker", () => has("select from handrail.worker"));
  await pool.query("select handrail.start_run('slow', '{}')");
  await until("The step in flight", () => has("select from handrail.step where status = 'running'"));
  worker.stdout.destroy();
  worker.stderr.destroy();
  await pool.query(
    "insert into handrail.drain (migration, until_at) values ('next', clock_timestamp() + interval '30 s')",
  );
  await until("Its draining", () => has("select from handrail.worker where stopping_at is not null"));
  await delay(600);
  worker.kill("SIGTERM");
  const [code] = await once(worker, "exit");
  expect(code).toBe(0);
  expect((await pool.query("select status from handrail.step")).rows).toEqual([{ status: "completed" }]);
}

/** What `handrail worker` says before it ends, with its exit code. */
const saidBy = (app: InstalledApp, words: string, given: { cwd: string; env?: NodeJS.ProcessEnv }): Promise<string> =>
  app.handrail(`worker${words}`, given).then(
    () => "Nothing is wrong.",
    ({ code, stderr }) => `${code}: ${stderr}`,
  );

const WRONG_FILES = {
  "nothing.ts": "export const workflows = [];\n",
  "empty.mts": "export default {};\n",
  "broken.ts": 'import "./src/broken";\nexport default { workflows: [] };\n',
  "plain.mjs": "export default {\n  workflows: [,\n}};\n",
  "throws.ts": '\nthrow new Error("no key of the mail server");\n',
};

async function saysWhatIsWrongInFiles(app: InstalledApp): Promise<void> {
  const cwd = path.join(app.folder, "wrong");
  await mkdir(path.join(cwd, "src"), { recursive: true });
  await writeFile(path.join(cwd, "src/broken.ts"), "export const one = 1;\n\nexport const two = (;\n");
  for (const [name, text] of Object.entries(WRONG_FILES)) await writeFile(path.join(cwd, name), text);
  const words = ["", " --config no.ts", ...Object.keys(WRONG_FILES).map((name) => ` --config ${name}`)];
  const said = await Promise.all(words.map((one) => saidBy(app, one, { cwd })));
  const [none, unknown, nothing, empty, broken, plain, throwing] = said;
  expect(none).toMatch(/^1: There is no handrail\.config\.ts in .*export default defineConfig/s);
  expect(unknown).toMatch(/^1: There is no file .*no\.ts/);
  expect(nothing).toContain("1: nothing.ts has no default export");
  expect(empty).toContain("1: The default export of empty.mts names no workflows");
  const place = "src/broken.ts:3:21: Unexpected token\n\n3 | export const two = (;\n                        ^\n";
  expect(broken).toContain(`1: broken.ts cannot be loaded.\n${place}`);
  expect(plain).toContain("plain.mjs:3:1: Unexpected token");
  expect(throwing).toMatch(/^1: throws\.ts cannot be loaded\.\nError: no key of the mail server\n +at .*throws\.ts:2:/);
}

async function saysWhatIsWrong(app: InstalledApp, atEnd: TestContext["onTestFinished"]): Promise<void> {
  const { env, url } = await aDatabaseOfTheApp(atEnd);
  const foreign = new URL(url);
  foreign.pathname = "/postgres";
  await writeFile(path.join(app.folder, "stays.mjs"), STAYS);
  const addresses = ["", "postgresql://nobody@127.0.0.1:1/app", url.href, foreign.href, "mysql://localhost/app"];
  const cwd = path.join(app.folder, "cjs");
  const said = await Promise.all(
    addresses.map((address) => saidBy(app, "", { cwd, env: { ...env, DATABASE_URL: address } })),
  );
  // Its own modules would keep the process.
  const staying = await saidBy(app, " --config stays.mjs", {
    cwd: app.folder,
    env: { ...env, DATABASE_URL: url.href },
  });
  expect(staying).toMatch(/^1: The server has no such database /);
  expect(said).toEqual([
    expect.stringContaining("1: Handrail needs a database: set DATABASE_URL"),
    expect.stringContaining("1: The database at 127.0.0.1:1 can't be used: "),
    expect.stringMatching(/^1: The server has no such database .*npx handrail migrate/),
    expect.stringMatching(/^1: The database has no tables of Handrail's\. Run `npx handrail migrate`/),
    expect.stringContaining("1: DATABASE_URL must be "),
  ]);
}
