import { type ExecFileOptionsWithStringEncoding, execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import pg from "pg";
import type { TestContext } from "vitest";
import { createTestDatabase } from "../../lib/testing/database/database";
import { packConsole } from "../../scripts/pack/console/pack-console";
import { pack } from "../../scripts/pack/pack";
import { bytesOf } from "../../scripts/pack/sizes";
import type { Packed } from "../../scripts/pack/tarball";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const APP = fileURLToPath(new URL("app", import.meta.url));
const INSTALL = ["install", "--no-audit", "--no-fund", "--prefer-offline"];

/** A program that hangs is named with what it said, instead of the test that waits for it. */
const LIMIT_MS = 100_000;
const run = promisify(execFile);
export const execute = (program: string, args: readonly string[], options: ExecFileOptionsWithStringEncoding) =>
  run(program, args, { ...options, timeout: LIMIT_MS, killSignal: "SIGKILL" });
/** By this process's node. */
export const node = (args: readonly string[], cwd: string) => execute(process.execPath, args, { cwd });
export const ours = (file: string) => path.join(ROOT, "node_modules", file);

const NOWHERE = { ...process.env, DATABASE_URL: "", DATABASE_DIRECT_URL: "" };

/** An app that has the package, far from this repository: nothing is found in its node_modules. */
export interface InstalledApp {
  packed: Packed;
  /** Undefined: this installation has no console. */
  packedConsole: Packed | undefined;
  folder: string;
  /** What `npm install handrail` makes. */
  installed: { bytes: number; packages: number };
  /** The command, as `npx handrail` runs it. */
  command: string;
  handrail(
    words: string,
    given?: { env?: NodeJS.ProcessEnv; cwd?: string },
  ): Promise<{ stdout: string; stderr: string }>;
  remove(): Promise<void>;
}

export async function anEmptyApp(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "handrail-app-"));
  await writeFile(path.join(folder, "package.json"), JSON.stringify({ name: "app", private: true, type: "module" }));
  return folder;
}

/** Where a test packs, below this repository. */
export async function aScratchFolder(): Promise<string> {
  await mkdir(path.join(ROOT, ".handrail"), { recursive: true });
  return mkdtemp(path.join(ROOT, ".handrail/package-"));
}

/** With zod, which every app of these tests uses. */
export async function install(folder: string, tarballs: readonly string[]): Promise<void> {
  const { zod } = JSON.parse(await readFile(path.join(ROOT, "package.json"), "utf8")).dependencies;
  await execute("npm", [...INSTALL, ...tarballs, `zod@${zod}`], { cwd: folder });
}

/**
 * Packs, and installs the file into the app of the folder `app`.
 * @param hasConsole the console, too, which Next takes a minute or more to build
 */
export async function installedApp(hasConsole: boolean): Promise<InstalledApp> {
  const scratch = await aScratchFolder();
  const [packed, packedConsole] = await Promise.all([pack(scratch), hasConsole ? packConsole(scratch) : undefined]);
  const folder = await anEmptyApp();
  await install(
    folder,
    [packed, packedConsole].flatMap((one) => one?.tarball ?? []),
  );
  const installed = await installedByHandrail(folder);
  await cp(APP, folder, { recursive: true });
  const command = path.join(folder, "node_modules/.bin/handrail");
  return {
    packed,
    packedConsole,
    folder,
    installed,
    command,
    handrail: (words, { env = NOWHERE, cwd = folder } = {}) => execute(command, words.split(" "), { cwd, env }),
    async remove() {
      for (const one of [scratch, folder]) await rm(one, { recursive: true, force: true });
    },
  };
}

/** Without what is installed beside it. */
async function installedByHandrail(folder: string): Promise<InstalledApp["installed"]> {
  const { packages } = JSON.parse(await readFile(path.join(folder, "package-lock.json"), "utf8"));
  const beside = ["node_modules/zod", "node_modules/@handrail/console"].filter((one) => one in packages);
  const folders = Object.keys(packages).filter((one) => !["", ...beside].includes(one));
  let bytes = await bytesOf(path.join(folder, "node_modules"));
  for (const one of beside) bytes -= await bytesOf(path.join(folder, one));
  return { bytes, packages: folders.length };
}

/** @throws what publint or @arethetypeswrong/cli find wrong */
export async function isInOrder({ tarball }: Packed): Promise<void> {
  // That `require` gets ES modules is on purpose.
  const rules = ["--profile", "node16", "--ignore-rules", "cjs-resolves-to-esm"];
  await Promise.all([
    node([ours("publint/src/cli.js"), "run", tarball, "--strict"], ROOT),
    node([ours("@arethetypeswrong/cli/dist/index.js"), tarball, ...rules], ROOT),
  ]);
}

/** A database that is not there yet, and the environment that names it. */
export async function aDatabaseOfTheApp(atEnd: TestContext["onTestFinished"]) {
  const beside = await createTestDatabase();
  const url = new URL(beside.url);
  const name = `${url.pathname.slice(1)}_app`;
  url.pathname = `/${name}`;
  const pool = new pg.Pool({ connectionString: url.href });
  pool.on("error", () => undefined);
  atEnd(async () => {
    await pool.end();
    await beside.pool.query(`drop database if exists ${name} with (force)`);
    await beside.drop();
  });
  return { pool, url, env: { ...process.env, DATABASE_URL: url.href, DATABASE_DIRECT_URL: "" } };
}
