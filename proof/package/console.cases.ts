import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, type TestContext } from "vitest";
import { kill, processesOf, processOf } from "../../lib/testing/processes/launched";
import { until } from "../../lib/testing/until";
import { bytesOf } from "../../scripts/pack/sizes";
import type { Packed } from "../../scripts/pack/tarball";
import { freePort } from "../../scripts/ports";
import { aDatabaseOfTheApp, anEmptyApp, type InstalledApp, isInOrder } from "./installed-app";
import { foreignWords } from "./own-words";

const MB = 1_000_000;
const TOKEN = "a-token-of-32-bytes-or-more-for-programs";

/** `@handrail/console`, as `handrail console` serves it. */
export function consoleCases(appOf: () => InstalledApp): void {
  describe("handrail console", () => {
    it("names the package that is missing", () => namesThePackage(appOf()));
    describe("of the package @handrail/console", () => {
      it("is small, complete, and in order", () => isComplete(appOf().packedConsole as Packed));
      it("says what is wrong before it starts anything", ({ onTestFinished }) =>
        saysWhatIsWrong(appOf(), onTestFinished));
      it("serves people and programs beside a worker; TERM ends it", ({ onTestFinished }) =>
        servesBesideAWorker(appOf(), onTestFinished));
      it("has the blob store of the app, and goes on without a configuration that cannot be loaded", ({
        onTestFinished,
      }) => hasTheBlobStore(appOf(), onTestFinished));
      it("leaves nothing behind when it is killed", ({ onTestFinished }) => leavesNothing(appOf(), onTestFinished));
    });
  });
}

const saidBy = (app: InstalledApp, given: { env?: NodeJS.ProcessEnv; cwd?: string }): Promise<string> =>
  app.handrail("console", given).then(
    () => "Nothing is wrong.",
    ({ code, stderr }) => `${code}: ${stderr}`,
  );

async function namesThePackage(app: InstalledApp): Promise<void> {
  const cwd = await anEmptyApp();
  expect(await saidBy(app, { cwd })).toMatch(/^1: .*`npm install @handrail\/console@\d+\.\d+\.\d+` brings it\.\n/);
  await rm(cwd, { recursive: true });
}

async function isComplete(packed: Packed): Promise<void> {
  expect(await bytesOf(packed.folder)).toBeLessThanOrEqual(40 * MB);
  const manifest = JSON.parse(await readFile(path.join(packed.folder, "package.json"), "utf8"));
  for (const field of ["dependencies", "optionalDependencies", "peerDependencies", "bin", "scripts"])
    expect(manifest).not.toHaveProperty(field);
  const files = await readdir(packed.folder, { recursive: true, withFileTypes: true });
  expect(files.filter((file) => file.isSymbolicLink())).toEqual([]); // npm packs none
  expect(files.filter(({ name }) => /\.map$|^\.env|^handrail\.config/.test(name))).toEqual([]);
  const samples = files.filter(({ name }) => name === "@prisma" || name === "demo");
  expect(samples.map(({ name, parentPath }) => path.join(parentPath, name))).toEqual([
    path.join(packed.folder, "demo"),
  ]);
  expect(files.filter(({ name }) => name.endsWith(".node"))).toHaveLength(8);
  const server = await readFile(path.join(packed.folder, "console/server.js"), "utf8");
  expect(server).not.toContain(process.cwd());
  expect(await foreignWords(packed.folder)).toEqual([]);
  await isInOrder(packed);
}

async function saysWhatIsWrong(app: InstalledApp, atEnd: TestContext["onTestFinished"]): Promise<void> {
  const { env } = await aDatabaseOfTheApp(atEnd);
  const wrong = [
    { DATABASE_URL: "" },
    {},
    { HOST: "0.0.0.0" },
    { HANDRAIL_ORIGIN: "https://a.example" },
    { PORT: "none" },
  ];
  const said = await Promise.all(wrong.map((one) => saidBy(app, { env: { ...env, ...one } })));
  expect(said).toEqual([
    expect.stringContaining("1: Handrail needs a database: set DATABASE_URL"),
    expect.stringContaining("npx handrail migrate"),
    expect.stringContaining("set HANDRAIL_SIGN_IN=on"),
    expect.stringContaining('1: HANDRAIL_ORIGIN is "https://a.example"'),
    expect.stringContaining("1: PORT must be "),
  ]);
}

interface Served {
  launcher: ChildProcess;
  address: string;
  said: () => string;
}

/** A console of the app, and the sentence with its address. */
async function served(
  app: InstalledApp,
  env: NodeJS.ProcessEnv,
  atEnd: TestContext["onTestFinished"],
  options: string[] = [],
) {
  const port = await freePort();
  const launcher = spawn(app.command, ["console", "--port", String(port), ...options], { cwd: app.folder, env });
  atEnd(() => processesOf(env.DATABASE_URL as string).forEach(({ pid }) => void kill(pid, "SIGKILL")));
  let said = "";
  for (const stream of [launcher.stdout, launcher.stderr]) stream.on("data", (text) => (said += text));
  const address = `http://127.0.0.1:${port}`;
  await until(
    "The console",
    () => said.includes(`running at ${address} — console and API`) || launcher.exitCode !== null,
  );
  expect(said).toContain(`running at ${address}`);
  return { launcher, address, said: () => said } satisfies Served;
}

async function servesBesideAWorker(app: InstalledApp, atEnd: TestContext["onTestFinished"]): Promise<void> {
  const { env, pool } = await aDatabaseOfTheApp(atEnd);
  await app.handrail("migrate", { env });
  spawn(app.command, ["worker"], { cwd: path.join(app.folder, "cjs"), env, stdio: "ignore" });
  const signIn = { HANDRAIL_SIGN_IN: "on", HANDRAIL_BOOTSTRAP_TOKEN: TOKEN };
  const { launcher, address, said } = await served(app, { ...env, ...signIn }, atEnd);
  for (const page of ["/sign-in", "/api/health/ready"]) expect((await fetch(address + page)).status).toBe(200);

  // SQL starts what a worker has registered.
  const registered = async () =>
    (await pool.query("select from handrail.workflow where name = 'slow'")).rows.length > 0;
  await until("The worker's registration", registered);
  await pool.query("select handrail.start_run('slow', '{}')");
  const headers = { authorization: `Bearer ${TOKEN}` };
  await until("The run of the worker", async () => {
    const answer = await (await fetch(`${address}/api/v1/runs`, { headers })).json();
    expect(answer).toMatchObject({ runs: [{ workflow: "slow" }] });
    return answer.runs[0].status === "completed";
  });

  // The first admin's password is hashed by machine code that comes with the package.
  await until("The link", () => said().includes("/set-up#"));
  const secret = /\/set-up#(\S+)/.exec(said())?.[1];
  const body = JSON.stringify({ secret, name: "Ada", password: "correct horse battery staple" });
  const post = { method: "POST", headers: { "content-type": "application/json", origin: address }, body };
  const signedIn = await fetch(`${address}/api/v1/set-up`, post);
  expect({ status: signedIn.status, text: await signedIn.text() }).toMatchObject({ status: 200 });

  launcher.kill("SIGTERM");
  expect(await once(launcher, "exit")).toEqual([0, null]);
  const ofConsole = () => processesOf(env.DATABASE_URL).filter(({ command }) => !command.includes("handrail worker"));
  await until("The end of all that it started", () => ofConsole().length === 0);
}

const WITH_BLOBS = `export default {
  workflows: [],
  blobs: { async put() {}, async get() {}, async delete() {} },
};`;

/** What it takes over HTTP says whether it has one: a start of 3 MB is refused for its size without. */
async function hasTheBlobStore(app: InstalledApp, atEnd: TestContext["onTestFinished"]): Promise<void> {
  const { env } = await aDatabaseOfTheApp(atEnd);
  await app.handrail("migrate", { env });
  const start = { workflow: "nobody-has-it", input: "x".repeat(3 * MB) };
  const refusals: Record<string, string> = {};
  for (const [name, text] of Object.entries({ "blobs.mjs": WITH_BLOBS, "broken.mjs": "export default {" })) {
    await writeFile(path.join(app.folder, name), text);
    const { launcher, address, said } = await served(app, env, atEnd, ["--config", name]);
    const headers = { "content-type": "application/json", origin: address };
    const answer = await fetch(`${address}/api/v1/runs`, { method: "POST", headers, body: JSON.stringify(start) });
    refusals[name] = (await answer.json()).error.code;
    if (name === "broken.mjs") expect(said()).toContain("The console goes on without what is in");
    launcher.kill("SIGTERM");
    await once(launcher, "exit");
    await rm(path.join(app.folder, name));
  }
  expect(refusals).toEqual({ "blobs.mjs": "unknown_workflow", "broken.mjs": "body_too_large" });
}

async function leavesNothing(app: InstalledApp, atEnd: TestContext["onTestFinished"]): Promise<void> {
  const { env } = await aDatabaseOfTheApp(atEnd);
  await app.handrail("migrate", { env });
  const { launcher, address } = await served(app, env, atEnd);
  kill(processOf(env.DATABASE_URL, "next-server"), "SIGKILL");
  await until("Another console", () =>
    fetch(address).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  launcher.kill("SIGKILL");
  await until("The end of all that it started", () => processesOf(env.DATABASE_URL).length === 0);
}
