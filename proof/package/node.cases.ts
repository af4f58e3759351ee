import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, type TestContext } from "vitest";
import { kill, processesOf } from "../../lib/testing/processes/launched";
import { oneIn } from "../../lib/testing/sample";
import { until } from "../../lib/testing/until";
import { freePort } from "../../scripts/ports";
import { aDatabaseOfTheApp, execute, type InstalledApp } from "./installed-app";

/** The oldest version of each line that apps run on, as docs/package.md names them. */
const VERSIONS = ["20.19.0", "22.12.0", "24.0.0"];
/** npm has Node's programs for these. */
const HAS_NODE = process.platform === "linux" && ["x64", "arm64"].includes(process.arch);

/** The installed package, run by other versions of Node than this one. */
export function nodeCases(appOf: () => InstalledApp): void {
  describe.skipIf(!HAS_NODE)("on Node (skipped where npm has no program of it)", () => {
    it.for(oneIn(VERSIONS.length, VERSIONS))(
      "%s: `import`, `require`, migrations, a worker with TypeScript, the console",
      (version, { onTestFinished }) => worksOn(appOf(), version, onTestFinished),
    );
  });
}

async function nodeOf(version: string, atEnd: TestContext["onTestFinished"]): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "handrail-node-"));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  await writeFile(path.join(folder, "package.json"), '{ "private": true }');
  const name = `node-${process.platform}-${process.arch}`;
  const options = ["--no-audit", "--no-fund", "--prefer-offline"];
  await execute("npm", ["install", ...options, `${name}@${version}`], { cwd: folder });
  return path.join(folder, "node_modules", name, "bin/node");
}

/** Each entry that needs no library beside it. */
const IMPORTS = ["", "/config", "/testing", "/client", "/http-worker", "/pg", "/next"];

async function worksOn(app: InstalledApp, version: string, atEnd: TestContext["onTestFinished"]): Promise<void> {
  const node = await nodeOf(version, atEnd);
  const { pool, env } = await aDatabaseOfTheApp(atEnd);
  const cwd = path.join(app.folder, "cjs");
  const run = (...args: string[]) => execute(node, args, { cwd, env });
  const command = path.join(app.folder, "node_modules/handrail/dist/command.js");
  const imports = IMPORTS.map((entry) => `import("handrail${entry}")`).join(", ");
  const loaded = await run("-e", `Promise.all([${imports}]).then((all) => console.log(process.version, all.length))`);
  expect(loaded.stdout).toBe(`v${version} ${IMPORTS.length}\n`);
  const required = await run("-e", `console.log(typeof require("handrail").createHandrail)`);
  expect(required).toMatchObject({ stdout: "function\n" });

  expect((await run(command, "migrate")).stdout).toMatch(/^Applied \d+_baseline/);
  const worker = spawn(node, [command, "worker"], { cwd, env, stdio: "ignore" });
  atEnd(() => void worker.kill("SIGKILL"));
  const has = async (what: string) => (await pool.query(what)).rows.length > 0;
  const isKnown = () => has("select from handrail.workflow where name = 'slow'");
  await until("The worker", async () => worker.exitCode !== null || (await isKnown()));
  await pool.query("select handrail.start_run('slow', '{}')");
  const isCompleted = () => has("select from handrail.run where status = 'completed'");
  await until("The run's end", async () => worker.exitCode !== null || (await isCompleted()));
  worker.kill("SIGTERM");
  expect(await once(worker, "exit")).toEqual([0, null]);
  await servesOn(node, command, { cwd: app.folder, env }, atEnd);
}

async function servesOn(
  node: string,
  command: string,
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
  atEnd: TestContext["onTestFinished"],
): Promise<void> {
  const port = await freePort();
  const launcher = spawn(node, [command, "console", "--port", String(port)], { cwd, env, stdio: "ignore" });
  atEnd(() => processesOf(env.DATABASE_URL as string).forEach(({ pid }) => void kill(pid, "SIGKILL")));
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/api/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until("The console", async () => launcher.exitCode !== null || (await isReady()));
  // Of this Node as well: it starts the server by the program that runs it.
  const served = processesOf(env.DATABASE_URL as string).map(({ command }) => command);
  expect(served).toContainEqual(expect.stringContaining("next-server"));
  launcher.kill("SIGTERM");
  expect(await once(launcher, "exit")).toEqual([0, null]);
}
