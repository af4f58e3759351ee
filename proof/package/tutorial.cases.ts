import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it, type TestContext } from "vitest";
import { aDatabaseOfTheApp, execute, type InstalledApp, node, ours } from "./installed-app";
import { filesOfTutorial } from "./tutorial-files";

/** docs/tutorial.md, in an app that has the package: each block is the file that its first line names. */
export function tutorialCases(appOf: () => InstalledApp): void {
  it("the tutorial compiles, its test passes, and its form signs up once", ({ onTestFinished }) =>
    goesThrough(appOf(), onTestFinished));
}

async function goesThrough(app: InstalledApp, atEnd: TestContext["onTestFinished"]): Promise<void> {
  const cwd = path.join(app.folder, "tutorial");
  await rm(cwd, { recursive: true, force: true });
  await mkdir(cwd);
  await app.handrail("init", { cwd });
  for (const { name, text } of filesOfTutorial()) await writeFile(path.join(cwd, name), text);
  await node([ours("typescript/bin/tsc"), "-p", "."], cwd);

  const { pool, env } = await aDatabaseOfTheApp(atEnd);
  await app.handrail("migrate", { env });
  const { stdout } = await execute("npm", ["run", "handrail:test"], {
    cwd,
    env: { ...env, TEST_DATABASE_URL: env.DATABASE_URL },
  }).catch((error: { stdout: string }) => {
    throw new Error(`the tutorial's test failed: ${error.stdout}`, { cause: error });
  });
  expect(stdout).toMatch(/^# pass 2|ℹ pass 2/m);
  expect((await execute(process.execPath, ["--import", "handrail/register", "try.ts"], { cwd, env })).stdout).toBe(
    "true\n",
  );
  const { rows } = await pool.query(
    "select count(*)::int as n from handrail.run where tags ->> 'email' = 'grace@example.com'",
  );
  expect(rows).toEqual([{ n: 1 }]);
}
