import { readFile, stat, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import { until } from "../../../lib/testing/until";
import { ROOT } from "../../../scripts/pack/tarball";
import { freePort } from "../../../scripts/ports";
import { commandsIn, sectionOf } from "./guide";
import type { Scene } from "./scene";
import { type OnTerminal, sh } from "./stranger";

/** README.md, "In an app that you have": its block line by line, then what the sentences behind it say. */
export async function quickstart(scene: Scene): Promise<void> {
  const lines = commandsIn(sectionOf("README.md", "In an app that you have"));
  const app = await scene.aFolder("app");
  await symlink(ROOT, path.join(scene.folder, "handrail")); // ../handrail, as the lines name it
  const dev = lines.pop() as string;
  await scene.check("the last line is handrail dev", () => expect(dev).toMatch(/^npx handrail dev\b/));
  for (const line of lines) {
    const said = await scene.run(line, line.includes("# here") ? path.join(scene.folder, "handrail") : app);
    await claims(scene, line, said);
  }
  const env = { PORT: String(await freePort()) };
  await firstRun(scene, scene.begin(dev, app, env), app);
  await withConsole(scene, app, env);
}

/** The sizes in a comment. */
async function claims(scene: Scene, line: string, said: string): Promise<void> {
  const packages = /# .*?(\d+) packages/.exec(line)?.[1];
  if (packages) await scene.check(`${packages} packages`, () => expect(said).toContain(`added ${packages} packages`));
  const megabytes = /# .*? ([\d.]+) MB/.exec(line)?.[1];
  if (!megabytes) return;
  const { size } = await stat(path.join(ROOT, "dist/handrail-0.1.0.tgz"));
  await scene.check(`${megabytes} MB`, () => expect((size / 1e6).toFixed(1)).toBe(megabytes));
}

/** The address that `handrail dev` prints, for the terminal beside it. */
export async function addressOf(scene: Scene, dev: OnTerminal): Promise<string> {
  const [, address = ""] = await scene.check("handrail dev prints the address of its PostgreSQL", () =>
    dev.untilSaid(/^DATABASE_URL=(postgresql:\S+)$/m),
  );
  return address;
}

async function firstRun(scene: Scene, dev: OnTerminal, app: string): Promise<void> {
  const address = await addressOf(scene, dev);
  await scene.check("a worker runs the first workflow", () => dev.untilSaid(/Worker \d+ runs hello\./));
  const pool = scene.connect(address);
  await pool.query(`select handrail.start_run('hello', '{"name": "Ada"}')`);
  await scene.check("its first step is shown as it happens", () => dev.untilSaid(/greet {2}completed/));
  const file = path.join(app, "workflows/hello.ts");
  await writeFile(file, `${await readFile(file, "utf8")}// saved\n`);
  await scene.check("a save starts the worker again", async () => {
    const { index } = await dev.untilSaid(/workflows\/hello\.ts was saved/);
    await dev.untilSaid(/Worker \d+ runs hello\./, index);
  });
  await scene.check("the test that came with it passes, on an embedded PostgreSQL of its own", async () => {
    const said = await sh("npm run handrail:test", { cwd: app });
    expect(said).toMatch(/^(# |ℹ )pass 1$/m);
  });
  await scene.check("the run goes on after its sleep, in the new worker", () => dev.untilSaid(/hello is completed/));
  await scene.check("all that it wrote is in the schema handrail", async () => {
    const { rows } = await pool.query("select nspname from pg_namespace where nspname !~ '^(pg_|information_schema)'");
    expect(rows.map(({ nspname }) => nspname).sort()).toEqual(["handrail", "public"]);
    expect((await pool.query("select from pg_class where relnamespace = 'public'::regnamespace")).rows).toEqual([]);
  });
  await pool.end();
  await scene.check("Ctrl-C stops everything", () => dev.interrupt());
}

/** "Once its file is installed, handrail dev serves it, and handrail console in production". */
async function withConsole(scene: Scene, app: string, env: { PORT: string }): Promise<void> {
  const tarball = await scene.check("the console is packed", scene.shared.consoleTarball);
  await scene.run(`npm install ${tarball}`, app);
  const dev = scene.begin("npx handrail dev", app, env);
  const address = await addressOf(scene, dev);
  const at = `http://127.0.0.1:${env.PORT}`;
  await scene.check("handrail dev serves the console", async () => {
    await dev.untilSaid(new RegExp(`running at ${at}`));
    expect((await fetch(at)).status).toBe(200);
  });
  await scene.check("the command line lists the run of before", async () => {
    const said = await sh(`npx handrail runs list --url ${at}`, { cwd: app });
    expect(said).toMatch(/ hello +completed /);
  });
  const port = await freePort();
  const production = scene.begin(`npx handrail console --port ${port}`, app, { DATABASE_URL: address });
  await scene.check("handrail console serves it in production", async () => {
    await production.untilSaid(/running at /);
    await until("Readiness", async () => (await fetch(`http://127.0.0.1:${port}/api/health/ready`)).ok);
  });
  production.type("\u0003");
  await production.untilSaid(/Stopping/);
  await scene.check("Ctrl-C stops everything again", () => dev.interrupt());
}
