import { spawn } from "node:child_process";
import { cp, rm } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Pool } from "pg";
import { expect, it, type TestContext } from "vitest";
import { createEmptyDatabase } from "../../lib/testing/database/database";
import { expectInvariants } from "../../lib/testing/database/invariants";
import { callWitness } from "../../lib/testing/database/witness";
import { until } from "../../lib/testing/until";
import { pack } from "../../scripts/pack/pack";
import { anEmptyApp, aScratchFolder, execute, install } from "./installed-app";

/*
 * From the first package that had a command to migrate (`first/`, as npm would hold it) to this one, with runs in
 * flight, then out of the database again. It needs a registry, for the few packages that come with it.
 */

const FIRST = fileURLToPath(new URL("first/handrail-778f4043.tgz", import.meta.url));
const SHOP = fileURLToPath(new URL("app/shop.mjs", import.meta.url));
const BEFORE = 200;
const ALL = 240;
type AtEnd = TestContext["onTestFinished"];

async function thisPackage(atEnd: AtEnd): Promise<string> {
  const scratch = await aScratchFolder();
  atEnd(() => rm(scratch, { recursive: true, force: true }));
  return (await pack(scratch)).tarball;
}

/** The shop with one of the packages, in a process for each `begin`. */
async function aShop(tarball: string, databaseUrl: string, version: 1 | 2, atEnd: AtEnd) {
  const folder = await anEmptyApp();
  atEnd(() => rm(folder, { recursive: true, force: true }));
  await cp(SHOP, path.join(folder, "shop.mjs"));
  await install(folder, [tarball]);
  const addresses = { DATABASE_URL: databaseUrl, DATABASE_DIRECT_URL: "" };
  const env = { ...process.env, ...addresses, SHOP_VERSION: String(version), HANDRAIL_LEASE_MS: "3000" };
  return {
    migrate: () => execute(path.join(folder, "node_modules/.bin/handrail"), ["migrate"], { cwd: folder, env }),
    start: (from: number, to: number) =>
      execute(process.execPath, ["shop.mjs", "start", String(from), String(to)], { cwd: folder, env }),
    aWorker() {
      const child = spawn(process.execPath, ["shop.mjs", "worker"], { cwd: folder, env, stdio: "inherit" });
      atEnd(() => void child.kill("SIGKILL"));
      return child;
    },
  };
}

const tally = async (pool: Pool, statement: string) => (await pool.query(statement)).rows[0];
const ended = async (pool: Pool) =>
  Number((await tally(pool, "select count(*) from handrail.run where status = 'completed'")).count);

it("is upgraded with 200 runs in flight, by workers of both packages, and then removed", { timeout: 240_000 }, async ({
  onTestFinished,
}) => {
  const database = await createEmptyDatabase();
  onTestFinished(() => database.drop());
  const { pool, url } = database;
  const [before, after] = await Promise.all([
    aShop(FIRST, url, 1, onTestFinished),
    thisPackage(onTestFinished).then((tarball) => aShop(tarball, url, 2, onTestFinished)),
  ]);
  await before.migrate();
  await callWitness(pool);
  for (const table of ["placed (id int primary key, version int)", "paid (id int primary key, version int)"])
    await pool.query(`create table ${table}`);
  await pool.query("create table charged (id int, key text)");

  const old = [before.aWorker(), before.aWorker()];
  await before.start(0, BEFORE);
  await until("The first end", async () => (await ended(pool)) > 0);
  expect(await ended(pool)).toBeLessThan(BEFORE / 2);
  await after.migrate();
  const survivors = [after.aWorker(), after.aWorker()];
  // The app of before still runs somewhere, and one of its workers dies.
  await before.start(BEFORE, BEFORE + 20);
  old[0]?.kill("SIGKILL");
  await after.start(BEFORE + 20, ALL);
  old[1]?.kill("SIGTERM");
  await until("The end of all", async () => (await ended(pool)) === ALL, 90_000);

  const facts = { orders: String(ALL), ofTheFirst: String(BEFORE + 20) };
  const count = `select count(*) as orders, count(*) filter (where version = 1) as "ofTheFirst" from`;
  expect(await tally(pool, `${count} placed`)).toEqual(facts);
  expect(await tally(pool, `${count} paid`)).toEqual(facts);
  const charges = "select count(distinct id) as orders, count(distinct key) as keys from charged";
  expect(await tally(pool, charges)).toEqual({ orders: String(ALL), keys: String(ALL) });
  await expectInvariants(pool);

  for (const child of survivors) child.kill("SIGTERM");
  await until("The workers' end", () => survivors.every(({ exitCode }) => exitCode === 0));
  await pool.query("drop schema witness cascade");
  await pool.query("drop schema handrail cascade");
  const left = "select nspname from pg_namespace where nspname !~ '^(pg_|information_schema)'";
  expect((await pool.query(left)).rows).toEqual([{ nspname: "public" }]);
  expect(await tally(pool, `${count} paid`)).toEqual(facts);
});
