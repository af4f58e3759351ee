import { execFile, spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, type TestContext, vi } from "vitest";
import { createTestDatabase } from "../../lib/testing/database/database";
import { expectInvariants } from "../../lib/testing/database/invariants";
import { callWitness } from "../../lib/testing/database/witness";
import { oneIn } from "../../lib/testing/sample";
import { until } from "../../lib/testing/until";
import { type Packed, pack } from "../../scripts/pack/pack";
import { bytesOf, loadedBytes } from "../../scripts/pack/sizes";

/*
 * The package as an app has it: packed, installed into an empty folder, compiled against, and run. docs/package.md has
 * the figures. It needs a registry, for the few packages that come with it.
 */

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const APP = fileURLToPath(new URL("app", import.meta.url));
const MB = 1_000_000;
/** Compilers and package managers, on a busy machine. */
const LONGEST_MS = 180_000;
vi.setConfig({ testTimeout: LONGEST_MS, hookTimeout: LONGEST_MS });
const INSTALL = ["install", "--no-audit", "--no-fund", "--prefer-offline"];

const execute = promisify(execFile);
/** By this process's node. */
const node = (args: readonly string[], cwd: string) => execute(process.execPath, args, { cwd });
const ours = (file: string) => path.join(ROOT, "node_modules", file);

const NOWHERE = { ...process.env, DATABASE_URL: "", DATABASE_DIRECT_URL: "" };
/** The command, as `npx handrail` runs it. */
const handrail = (words: string, { env = NOWHERE } = {}) =>
  execute(path.join(app, "node_modules/.bin/handrail"), words.split(" "), { cwd: app, env });

let scratch: string;
let packed: Packed;
let app: string;
/** What `npm install handrail` makes. */
let installed: { bytes: number; packages: number };
/** The app in its folder `out`. */
let compiled: Promise<unknown> | undefined;
const compile = () => {
  compiled ??= node([ours("typescript/bin/tsc"), "-p", "."], app);
  return compiled;
};

/** Far from this repository: nothing is found in its node_modules. */
async function anEmptyApp(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "handrail-app-"));
  await writeFile(path.join(folder, "package.json"), JSON.stringify({ name: "app", private: true, type: "module" }));
  return folder;
}

beforeAll(async () => {
  await mkdir(path.join(ROOT, ".handrail"), { recursive: true });
  scratch = await mkdtemp(path.join(ROOT, ".handrail/package-"));
  packed = await pack(scratch);
  app = await anEmptyApp();
  const { zod } = JSON.parse(await readFile(path.join(ROOT, "package.json"), "utf8")).dependencies;
  await execute("npm", [...INSTALL, packed.tarball, `zod@${zod}`], { cwd: app });
  const { packages } = JSON.parse(await readFile(path.join(app, "package-lock.json"), "utf8"));
  const folders = Object.keys(packages).filter((folder) => !["", "node_modules/zod"].includes(folder));
  const bytes = await bytesOf(path.join(app, "node_modules"));
  installed = { bytes: bytes - (await bytesOf(path.join(app, "node_modules/zod"))), packages: folders.length };
  await cp(APP, app, { recursive: true });
});

afterAll(async () => {
  for (const folder of [scratch, app]) await rm(folder, { recursive: true, force: true });
});

it("is as small as it promises to be", async () => {
  expect(installed.packages).toBeLessThanOrEqual(25);
  expect(installed.bytes).toBeLessThanOrEqual(15 * MB);
  expect(await loadedBytes(path.join(packed.folder, "dist/handrail.js"))).toBeLessThanOrEqual(50_000);
});

it("is what publint and @arethetypeswrong/cli expect of a package", async () => {
  // That `require` gets ES modules is on purpose, and below.
  const rules = ["--profile", "node16", "--ignore-rules", "cjs-resolves-to-esm"];
  await Promise.all([
    node([ours("publint/src/cli.js"), "run", packed.tarball, "--strict"], ROOT),
    node([ours("@arethetypeswrong/cli/dist/index.js"), packed.tarball, ...rules], ROOT),
  ]);
});

it("an app compiles with NodeNext and with Bundler, which check the package's types as well", async () => {
  await Promise.all([compile(), node([ours("typescript/bin/tsc"), "-p", "tsconfig.bundler.json"], app)]);
});

it("its command says what it can do, and ends with 2 for other words", async () => {
  const wrong = handrail("migrat");
  await expect(wrong).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining("Did you mean migrate?") });
  expect((await handrail("--help")).stdout).toContain("runs ");
  const nobody = handrail("runs list --url http://127.0.0.1:1");
  await expect(nobody).rejects.toMatchObject({ code: 4, stderr: expect.stringContaining("does not answer") });
  const without = handrail("migrate");
  await expect(without).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining("set DATABASE_URL") });
});

it("is loaded by `require`", async () => {
  await compile();
  expect((await node(["out/common.cjs"], app)).stdout).toBe("function too_busy\n");
});

/** Which `npx handrail migrate` makes. */
async function aDatabaseOfTheApp(atEnd: TestContext["onTestFinished"]) {
  const beside = await createTestDatabase();
  const url = new URL(beside.url);
  const name = `${url.pathname.slice(1)}_app`;
  url.pathname = `/${name}`;
  const env = { ...process.env, DATABASE_URL: url.href, DATABASE_DIRECT_URL: "" };
  const migrated = await handrail("migrate", { env });
  const pool = new pg.Pool({ connectionString: url.href });
  atEnd(async () => {
    await pool.end();
    await beside.pool.query(`drop database ${name} with (force)`);
    await beside.drop();
  });
  expect(migrated.stdout).toMatch(/^Applied \d+_baseline/);
  const script = await handrail("migrate --sql", { env });
  expect(script.stdout).toContain("up to date");
  return { pool, env };
}

it("runs a workflow whose worker is killed in the middle: each row is there once", async ({ onTestFinished }) => {
  await compile();
  const { pool, env } = await aDatabaseOfTheApp(onTestFinished);
  await callWitness(pool);
  await pool.query("create table app_row (step text not null)");
  const begin = (mode: string, more = {}) => {
    const child = spawn(process.execPath, ["out/main.js", mode], {
      cwd: app,
      env: { ...env, HANDRAIL_LEASE_MS: "3000", ...more },
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    return child;
  };
  const victim = begin("worker", { APP_STAYS: "yes" });
  const output = begin("run").stdout.toArray();
  const rows = async () => (await pool.query("select step from app_row")).rows.map(({ step }) => step);
  await until("The first row", async () => (await rows()).length === 1);
  victim.kill("SIGKILL");
  const survivor = begin("worker");
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

describe("is installed by", () => {
  it.each(oneIn(2, ["pnpm@10.12.1", "yarn@1.22.22"]))("%s", async (manager) => {
    const folder = await anEmptyApp();
    await execute("npx", ["--yes", "--prefer-offline", manager, "add", packed.tarball], { cwd: folder });
    const script = `import("handrail").then(({ createHandrail }) => console.log(typeof createHandrail))`;
    expect((await node(["-e", script], folder)).stdout).toBe("function\n");
    await rm(folder, { recursive: true });
  });
});
