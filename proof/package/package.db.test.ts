import { execFile, spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
const INSTALL = ["install", "--no-audit", "--no-fund", "--prefer-offline"];

const execute = promisify(execFile);
/** By this process's node. */
const node = (args: readonly string[], cwd: string) => execute(process.execPath, args, { cwd });
const ours = (file: string) => path.join(ROOT, "node_modules", file);

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
  await execute("npm", [...INSTALL, packed.tarball], { cwd: app });
  const { packages } = JSON.parse(await readFile(path.join(app, "package-lock.json"), "utf8"));
  installed = { bytes: await bytesOf(path.join(app, "node_modules")), packages: Object.keys(packages).length - 1 };
  const { zod, pg } = JSON.parse(await readFile(path.join(ROOT, "package.json"), "utf8")).dependencies;
  await execute("npm", [...INSTALL, `zod@${zod}`, `pg@${pg}`], { cwd: app });
  await cp(APP, app, { recursive: true });
}, 180_000);

afterAll(async () => {
  for (const folder of [scratch, app]) await rm(folder, { recursive: true, force: true });
});

it("is as small as it promises to be", async () => {
  expect(installed.packages).toBeLessThanOrEqual(25);
  expect(installed.bytes).toBeLessThanOrEqual(15 * MB);
  expect(await loadedBytes(path.join(packed.folder, "dist/handrail.js"))).toBeLessThanOrEqual(50_000);
});

it("is what publint and @arethetypeswrong/cli expect of a package", async () => {
  await node([ours("publint/src/cli.js"), "run", packed.tarball, "--strict"], ROOT);
  // That `require` gets ES modules is on purpose, and below.
  const rules = ["--profile", "node16", "--ignore-rules", "cjs-resolves-to-esm"];
  await node([ours("@arethetypeswrong/cli/dist/index.js"), packed.tarball, ...rules], ROOT);
});

it("an app compiles with NodeNext and with Bundler, which check the package's types as well", async () => {
  await compile();
  await node([ours("typescript/bin/tsc"), "-p", "tsconfig.bundler.json"], app);
});

it("is loaded by `require`", async () => {
  await compile();
  expect((await node(["out/common.cjs"], app)).stdout).toBe("function too_busy\n");
});

it("runs a workflow whose worker is killed in the middle: each row is there once", async ({ onTestFinished }) => {
  await compile();
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  await callWitness(database.pool);
  await database.pool.query("create table app_row (step text not null)");
  const env = { ...process.env, DATABASE_URL: database.url, DATABASE_DIRECT_URL: "", HANDRAIL_LEASE_MS: "3000" };
  const begin = (mode: string, more = {}) => {
    const child = spawn(process.execPath, ["out/main.js", mode], {
      cwd: app,
      env: { ...env, ...more },
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    return child;
  };
  const victim = begin("worker", { APP_STAYS: "yes" });
  const output = begin("run").stdout.toArray();
  const rows = async () => (await database.pool.query("select step from app_row")).rows.map(({ step }) => step);
  await until("The first row", async () => (await rows()).length === 1);
  victim.kill("SIGKILL");
  const survivor = begin("worker");
  expect(JSON.parse(Buffer.concat(await output).toString())).toEqual({
    created: true,
    text: "Hello Ada",
    by: "Bob",
    timedOut: "wait_timed_out",
  });
  expect(await rows()).toEqual(["first", "second"]);
  await expectInvariants(database.pool);
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
