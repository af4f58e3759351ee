import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { expect } from "vitest";
import { ROOT } from "../../../scripts/pack/tarball";
import { readCatalog } from "../../../scripts/postgres/catalog";
import type { Scene } from "./scene";
import { sh } from "./stranger";

const EXAMPLES = path.join(ROOT, "examples");
const OWN_TEST = fileURLToPath(new URL("app/own-test.mjs", import.meta.url));
/** Prisma downloads its engine from elsewhere; this one comes from npm. */
const PRISMA = { PRISMA_SCHEMA_ENGINE_BINARY: path.join(ROOT, "scripts/schema-engine.mjs") };
export const OLD_ORDERS = 500;

/** An app of ours that is one of the examples once it has Handrail. */
export interface Stack {
  example: "next-prisma" | "fastify-kysely";
  /** What it has of the example before. */
  kept: readonly string[];
  /** What it has in place of the example's files before. */
  before: Readonly<Record<string, string>>;
  /** Packages of the example that come with Handrail. */
  added: readonly string[];
  table: string;
  history: string;
  migrate: string;
  build?: string;
  /** @throws unless its migration tool finds the database as it left it */
  noDrift(app: App): Promise<void>;
  /** The app's next migration: a column `note`. */
  addNote(app: App): Promise<void>;
}

export interface App {
  scene: Scene;
  stack: Stack;
  folder: string;
  url: string;
  pool: pg.Pool;
  env: Record<string, string>;
  sh(line: string): Promise<string>;
}

/** An app with its own tables, 500 orders and the history of its migrations, in which its own test passes. */
export async function anAppBefore(scene: Scene, stack: Stack): Promise<App> {
  const { url, pool } = await scene.aDatabase();
  const folder = await scene.aFolder("app");
  for (const file of stack.kept)
    await cp(path.join(EXAMPLES, stack.example, file), path.join(folder, file), { recursive: true });
  await cp(OWN_TEST, path.join(scene.folder, "own-test.mjs"));
  await cp(path.join(EXAMPLES, "crash-test.mjs"), path.join(scene.folder, "crash-test.mjs"));
  await writeFiles(folder, { ...stack.before, "package.json": await manifestBefore(stack) });
  const env = { DATABASE_URL: url, ...PRISMA };
  const app = { scene, stack, folder, url, pool, env, sh: (line: string) => sh(line, { cwd: folder, env }) };
  await scene.run("npm install", folder, env);
  await scene.run(stack.migrate, folder, env);
  const charge = stack.table === "orders" ? "charge_id" : `"chargeId"`;
  await pool.query(
    `insert into ${stack.table} (id, cents, ${charge}) select 'OLD-' || n, n * 100, 'ch_old_' || n from generate_series(1, ${OLD_ORDERS}) as n`,
  );
  await ownTestPasses(app, "the app's own test passes before");
  await scene.run("npx tsc -p . --noEmit", folder, env);
  return app;
}

async function manifestBefore({ example, added, migrate }: Stack): Promise<string> {
  const manifest = JSON.parse(await readFile(path.join(EXAMPLES, example, "package.json"), "utf8"));
  for (const name of ["handrail", ...added]) delete manifest.dependencies[name];
  // Its types come with Handrail; an app without it has them by itself.
  if (manifest.dependencies.pg) manifest.devDependencies["@types/pg"] = "8.23.1";
  return JSON.stringify({ ...manifest, scripts: { ...manifest.scripts, migrate, test: undefined } }, null, 2);
}

export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
}

export async function ownTestPasses({ scene, stack, sh }: App, what: string): Promise<void> {
  await scene.check(what, async () => {
    if (stack.build) await sh(stack.build);
    await sh("node --test ../own-test.mjs");
  });
}

/** The example's files, packages and scripts over the app's. */
export async function addHandrail({ scene, stack, folder, env }: App): Promise<void> {
  const example = path.join(EXAMPLES, stack.example);
  const manifest = JSON.parse(await readFile(path.join(example, "package.json"), "utf8"));
  const packages = stack.added.map((name) => `${name}@${manifest.dependencies[name]}`);
  await scene.run(["npm install", await scene.shared.tarball(), ...packages].join(" "), folder, env);
  const filter = (file: string) => !/node_modules|package(-lock)?\.json$/.test(path.relative(example, file));
  await cp(example, folder, { recursive: true, filter });
  await scene.run(`npm pkg set scripts.migrate='${manifest.scripts.migrate}'`, folder);
  await scene.run("npx handrail migrate", folder, env);
}

/** What must not change: the orders and the history, row by row and unwritten, and every object outside of `handrail`. */
export async function stateOf({ pool, url, stack }: App) {
  const orders = `select md5(string_agg(t::text || t.xmin, ',' order by id)) as md5 from ${stack.table} as t where id like 'OLD-%'`;
  const history = `select *, xmin::text from ${stack.history} order by 1`;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const catalog = await readCatalog(client).finally(() => client.end());
  return {
    orders: (await pool.query(orders)).rows,
    history: (await pool.query(history)).rows,
    theirs: catalog.filter(isTheirs),
    ours: catalog.filter((line) => !isTheirs(line)),
  };
}

/** Of the app, or in its schema whatever it is called. */
const isTheirs = (line: string) => line.includes("public.") || !line.includes("handrail");

/** SIGKILL between the order and its charge, through the app alone. */
export async function survivesACrash({ scene, stack, pool, sh }: App): Promise<void> {
  await scene.check("killed between order and charge: charged once, and paid", async () => {
    if (stack.build) await sh(stack.build);
    await sh("node --test ../crash-test.mjs");
  });
  await scene.check("one row, one run, one charge", async () => {
    const count = async (from: string) => (await pool.query(`select count(*)::int as n from ${from}`)).rows[0].n;
    const paid = stack.table === "orders" ? "charge_id" : `"chargeId"`;
    expect(await count(`${stack.table} where id = 'A-1' and ${paid} is not null`)).toBe(1);
    const run = "handrail.run where idempotency_key = 'order:A-1'";
    expect(await count(`${run} and status = 'completed'`)).toBe(1);
    expect(await count(`handrail.step where name = 'charge' and run_id in (select id from ${run})`)).toBe(1);
  });
}

/** Handrail comes into an app that works, and the app goes on with its own migrations. */
export async function embed(scene: Scene, stack: Stack): Promise<void> {
  const app = await anAppBefore(scene, stack);
  await scene.check("its migration tool sees no drift before", () => stack.noDrift(app));
  const before = await stateOf(app);
  await addHandrail(app);
  const unchanged = async () => expect(await stateOf(app)).toEqual({ ...before, ours: expect.anything() });
  await scene.check("its tables, rows and history are as they were", unchanged);
  await scene.check("its migration tool sees no drift after", () => stack.noDrift(app));
  await scene.run("npx tsc -p . --noEmit", app.folder, app.env);
  await ownTestPasses(app, "the app's own test passes after");
  await survivesACrash(app);
  await scene.check("its rows and history are as they were, still", unchanged);
  const { ours } = await stateOf(app);
  await scene.check("its next migration adds its column, and leaves Handrail alone", async () => {
    await stack.addNote(app);
    const after = await stateOf(app);
    expect(after.ours).toEqual(ours);
    expect(after.history).toHaveLength(before.history.length + 1);
    expect(after.theirs.filter((line) => !before.theirs.includes(line))).toEqual([
      expect.stringMatching(/^column .*\.note text/),
    ]);
  });
  await scene.check("handrail migrate has nothing to do", async () =>
    expect(await app.sh("npx handrail migrate")).toMatch(/up to date|nothing/i),
  );
  await ownTestPasses(app, "the app's own test passes at the end");
}
