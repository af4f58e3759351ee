import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";
import { expect } from "vitest";
import { kill, processesOf } from "../../../lib/testing/processes/launched";
import { until } from "../../../lib/testing/until";
import { freePort } from "../../../scripts/ports";
import { filesOfTutorial } from "../tutorial-files";
import { commandsIn, sectionOf } from "./guide";
import { addressOf } from "./quickstart";
import type { Scene } from "./scene";
import { type OnTerminal, sh } from "./stranger";

const PAGE = "docs/tutorial.md";
const CONFIG = "handrail.config.ts";
const SIGNUP = /Worker \d+ runs newsletter-signup\./;

/** The app of the tutorial, with `handrail dev` on a terminal. */
interface Tutorial {
  scene: Scene;
  app: string;
  dev: OnTerminal;
  /** Of the console. */
  url: string;
  database: string;
  pool: pg.Pool;
  env: Record<string, string>;
}

/** docs/tutorial.md from its first command to its last, and what it invites to break. */
export async function tutorial(scene: Scene): Promise<void> {
  const written = await follow(scene);
  await killEverything(written);
  await letTheMailerThrow(written);
  await killTheWorker(written);
  await wakeAndTakeBack(written);
  const [line = ""] = commandsIn(sectionOf(PAGE, "5\\. Test it"));
  await scene.check(`$ ${line}`, async () => {
    const tests = new URL("/test", written.database).href;
    expect(await sh(line.replace("postgresql://…", tests), { cwd: written.app })).toMatch(/^(# |ℹ )pass 2$/m);
  });
  await scene.check("Ctrl-C stops everything", () => written.dev.interrupt());
}

const tarballIn = (line: string, tarball: string) => line.replace(/\S+handrail-0\.1\.0\.tgz/, tarball);

async function follow(scene: Scene): Promise<Tutorial> {
  const app = await scene.aFolder("app");
  const lines = commandsIn(sectionOf(PAGE, "Your own workflow, in five minutes"));
  const tarball = await scene.check("the package is packed", scene.shared.tarball);
  const dev = lines.pop() as string;
  expect(dev).toBe("npx handrail dev");
  for (const line of lines) await scene.run(tarballIn(line, tarball), app);
  await scene.run(`npm install ${await scene.shared.consoleTarball()}`, app);
  const env = { PORT: String(await freePort()) };
  const begun = scene.begin(dev, app, env);
  const database = await addressOf(scene, begun);
  for (const { name, text } of filesOfTutorial()) await writeFile(path.join(app, name), text);
  await scene.check("its files are saved, and a worker runs the workflow", () => begun.untilSaid(SIGNUP));
  await scene.run("npx tsc -p .", app);
  const url = `http://127.0.0.1:${env.PORT}`;
  await scene.check("the console is served", () => begun.untilSaid(new RegExp(`running at ${url}`)));
  const written = { scene, app, dev: begun, url, database, pool: scene.connect(database), env };
  const [line = ""] = commandsIn(sectionOf(PAGE, "3\\. Start one"));
  await scene.check(`$ ${line}`, async () => expect(await signUp(written, "grace@example.com", line)).toBe("true\n"));
  await scene.check("each step is shown, up to the sleep", async () => {
    for (const words of [
      "create-subscriber {2}completed",
      "To grace@",
      "send-welcome {2}completed",
      "a-week {2}waiting",
    ])
      await begun.untilSaid(new RegExp(words));
  });
  return written;
}

/** The line of the page that runs try.ts, for an address. */
function signUp({ app, database }: Tutorial, email: string, given?: string): Promise<string> {
  const [line = ""] = given === undefined ? commandsIn(sectionOf(PAGE, "3\\. Start one")) : [given];
  const command = line.replace("postgresql://…", database).replace("try.ts", `try.ts ${email}`);
  return sh(command, { cwd: app });
}

interface Run {
  id: string;
  status: string;
  attention: string | null;
  steps: { name: string; status: string; attempt: number; nextAttemptAt: string | null }[];
}

async function runOf({ url, pool }: Pick<Tutorial, "url" | "pool">, email: string): Promise<Run> {
  const { rows } = await pool.query("select id from handrail.run where tags ->> 'email' = $1", [email]);
  expect(rows).toHaveLength(1);
  return (await fetch(`${url}/api/v1/runs/${rows[0].id}`)).json();
}

const stepOf = (run: Run, name: string) => run.steps.find((step) => step.name === name);
const untilRun = (written: Tutorial, email: string, holds: (run: Run) => boolean) =>
  until(`What is expected of the run of ${email}`, async () => {
    const run = await runOf(written, email);
    return holds(run) && run;
  });
const subscribers = async ({ pool }: Tutorial, email: string) =>
  (await pool.query("select stayed_at is not null as stayed from subscriber where email = $1", [email])).rows;

async function killEverything(written: Tutorial): Promise<void> {
  const { scene, app, env, url } = written;
  const before = await runOf(written, "grace@example.com");
  await scene.check("kill -9 of everything while it sleeps", () => written.dev.killAll());
  written.dev = scene.begin("npx handrail dev", app, env);
  await scene.check("started again, the run still sleeps, by the database's clock", async () => {
    await written.dev.untilSaid(SIGNUP);
    await written.dev.untilSaid(new RegExp(`running at ${url}`));
    const after = await runOf(written, "grace@example.com");
    expect(stepOf(after, "a-week")).toMatchObject({ status: "waiting" });
    expect(after.steps).toEqual(before.steps);
  });
}

/** Another mailer, for as long as `work` takes. */
async function withMailer(written: Tutorial, code: string, work: () => Promise<void>): Promise<void> {
  const file = path.join(written.app, CONFIG);
  const text = await readFile(file, "utf8");
  await save(written, text.replace("console.log(", `${code}\n    console.log(`));
  await work();
  await save(written, text);
}

async function save({ app, dev }: Tutorial, text: string): Promise<void> {
  const from = dev.said.length;
  await writeFile(path.join(app, CONFIG), text);
  await dev.untilSaid(/handrail\.config\.ts was saved/, from);
  await dev.untilSaid(SIGNUP, from);
}

async function letTheMailerThrow(written: Tutorial): Promise<void> {
  const { scene, app, dev, url } = written;
  const email = "ada@example.com";
  await withMailer(written, 'if (to !== "") throw new Error("the mailbox is full");', async () => {
    await signUp(written, email);
    await scene.check("a mailer that throws: tried once, and its line is shown", async () => {
      await dev.untilSaid(/send-welcome {2}failed.*the mailbox is full\n {4}handrail\.config\.ts:\d+:\d+/);
      const run = await untilRun(written, email, ({ status }) => status === "failed");
      expect(stepOf(run, "send-welcome")).toMatchObject({ status: "failed", attempt: 1 });
    });
  });
  await scene.check("when the mailer works, a rerun goes on from there; the row is not written again", async () => {
    const { id } = await runOf(written, email);
    await sh(`npx handrail runs rerun ${id} --reason 'the mailbox has room' --yes --url ${url}`, { cwd: app });
    await untilRun(written, email, (run) => stepOf(run, "a-week")?.status === "waiting");
    expect(await subscribers(written, email)).toEqual([{ stayed: false }]);
  });
}

async function killTheWorker(written: Tutorial): Promise<void> {
  const { scene, app } = written;
  const email = "bob@example.com";
  await withMailer(written, "await new Promise((resolve) => setTimeout(resolve, 20_000));", async () => {
    await signUp(written, email);
    await untilRun(written, email, (run) => stepOf(run, "send-welcome")?.status === "running");
    await scene.check("kill -9 of the worker in the middle of a mail: unknown, and the run asks", async () => {
      for (const { pid, command } of processesOf(app)) if (/ worker --config /.test(command)) kill(pid, "SIGKILL");
      const run = await untilRun(written, email, ({ attention }) => attention !== null);
      expect(stepOf(run, "send-welcome")).toMatchObject({ status: "unknown", attempt: 1 });
    });
  });
}

async function wakeAndTakeBack(written: Tutorial): Promise<void> {
  const { scene, app, url, pool } = written;
  const email = "grace@example.com";
  const { id } = await runOf(written, email);
  const post = (body: object) =>
    fetch(`${url}/api/v1/runs/${id}/wakeups`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  await scene.check("Wake requires a reason, and ends the week", async () => {
    expect((await post({})).status).toBe(422);
    expect((await post({ reason: "she is keen" })).status).toBe(202);
    await untilRun(written, email, ({ status }) => status === "completed");
    expect(await subscribers(written, email)).toEqual([{ stayed: true }]);
    const { rows } = await pool.query("select reason from handrail.audit where run_id = $1", [id]);
    expect(rows).toEqual([{ reason: "she is keen" }]);
  });
  await scene.check("Compensate deletes the row", async () => {
    await sh(`npx handrail runs compensate ${id} --reason 'signed up by mistake' --yes --url ${url}`, { cwd: app });
    await until("The row is gone", async () => (await subscribers(written, email)).length === 0);
  });
}
