import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, type TestContext } from "vitest";
import { aDatabaseOfTheApp, type InstalledApp } from "./installed-app";
import { STAYS } from "./worker.cases";

/** The commands of the installed package that go to the database itself, also to the one that the folder's `.env` names. */
export function databaseCases(appOf: () => InstalledApp): void {
  describe("handrail doctor and audit", () => {
    it("read DATABASE_URL of .env, and find a migrated database in order", ({ onTestFinished }) =>
      findOrder(appOf(), onTestFinished));
    it("say what is missing without a database, and without tables", ({ onTestFinished }) =>
      sayWhatIsMissing(appOf(), onTestFinished));
  });
  it("handrail workflows check says what the app's code would break, and ends whatever the app has open", ({
    onTestFinished,
  }) => checksWorkflows(appOf(), onTestFinished));
}

const COMMANDS = ["doctor", "audit verify", "audit head", "metrics", "workflows check"];

async function findOrder(app: InstalledApp, atEnd: TestContext["onTestFinished"]): Promise<void> {
  const { env, pool } = await aDatabaseOfTheApp(atEnd);
  const cwd = path.join(app.folder, "kept");
  await mkdir(cwd);
  await writeFile(path.join(cwd, ".env"), `DATABASE_URL=${env.DATABASE_URL}\n`);
  expect((await app.handrail("migrate", { cwd, env: withoutAddress(env) })).stdout).toMatch(/^Applied /);
  const [doctor, verdict, head, metrics] = await Promise.all(
    COMMANDS.slice(0, 4).map(async (words) => (await app.handrail(words, { cwd, env: withoutAddress(env) })).stdout),
  );
  expect(doctor).toMatch(/All \d+ rules hold\.\n$/);
  expect(verdict).toBe("ok The chain holds: 0 rows\n");
  expect(JSON.parse(head as string)).toMatchObject({ seq: 0, signature: expect.any(String) });
  expect(metrics).toContain('\nhandrail_workers{state="live"} 0\n');
  await writesMetrics(app, { cwd, env: withoutAddress(env) });
  await pool.query("alter table handrail.audit disable trigger audit_no_truncate");
  const broken = app.handrail("doctor", { cwd, env: withoutAddress(env) });
  await expect(broken).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining("audit_no_truncate") });
  await expect(broken).rejects.toMatchObject({ stdout: expect.stringContaining("Run `npx handrail audit`") });
  const noFile = app.handrail("audit verify --heads none.json", { cwd, env: withoutAddress(env) });
  await expect(noFile).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(/^none\.json cannot be read/) });
}

async function writesMetrics(app: InstalledApp, at: { cwd: string; env: NodeJS.ProcessEnv }): Promise<void> {
  const file = path.join(at.cwd, "handrail.prom");
  await writeFile(file, "of last time");
  expect(await app.handrail("metrics --to handrail.prom", at)).toMatchObject({ stdout: "" });
  expect(await readFile(file, "utf8")).toContain('\nhandrail_workers{state="live"} 0\n');
  expect((await readdir(at.cwd)).sort()).toEqual([".env", "handrail.prom"]);
  await expect(app.handrail("metrics --to none/handrail.prom", at)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^none\/handrail\.prom cannot be written: ENOENT/),
  });
}

const withoutAddress = ({ DATABASE_URL: _, ...env }: NodeJS.ProcessEnv): NodeJS.ProcessEnv => env;

async function sayWhatIsMissing(app: InstalledApp, atEnd: TestContext["onTestFinished"]): Promise<void> {
  const { env, url } = await aDatabaseOfTheApp(atEnd);
  const foreign = new URL(url);
  foreign.pathname = "/postgres";
  const saidOn = (address: string) =>
    Promise.all(
      COMMANDS.map((words) =>
        app
          .handrail(words, { env: { ...env, DATABASE_URL: address } })
          .catch(({ code, stderr }) => `${code} ${stderr}`),
      ),
    );
  const said = await Promise.all(["", foreign.href, url.href].map(saidOn));
  const each = (sentence: RegExp) => COMMANDS.map(() => expect.stringMatching(sentence));
  expect(said).toEqual([
    each(/^1 Handrail needs a database: set DATABASE_URL.*\.env/),
    each(/^1 The database has no tables of Handrail's\. Run `npx handrail migrate`, then try again/),
    each(/^1 The server has no such database .*npx handrail migrate/),
  ]);
}

async function checksWorkflows(app: InstalledApp, atEnd: TestContext["onTestFinished"]): Promise<void> {
  const { env, pool } = await aDatabaseOfTheApp(atEnd);
  await app.handrail("migrate", { env });
  const { stdout } = await app.handrail("workflows check", { env });
  expect(stdout).toMatch(/^WORKFLOW +VERSION +DRIFT +OPEN RUNS\ngreeting +1 +stop +0\n\nNothing breaks: 0 open runs /);
  await pool.query("insert into handrail.workflow (name, version, title) values ('gone', 1, 'Gone')");
  await pool.query("select handrail.start_run('gone', '{}')");
  const broken = app.handrail("workflows check", { env });
  await expect(broken).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining("no such workflow") });
  await writeFile(path.join(app.folder, "stays.mjs"), STAYS);
  const staying = app.handrail("workflows check --config stays.mjs --json", { env });
  const { code, stdout: answer } = (await staying.catch((error) => error)) as { code: number; stdout: string };
  expect({ code, ...JSON.parse(answer) }).toMatchObject({
    code: 1,
    openRuns: 1,
    findings: [{ level: "breaks", code: "no_code", workflow: "gone", runs: 1 }],
  });
}
