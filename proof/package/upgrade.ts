import { fileURLToPath } from "node:url";
import type { Pool } from "pg";
import { expect } from "vitest";
import { expectInvariants } from "../../lib/testing/database/invariants";
import { callWitness } from "../../lib/testing/database/witness";
import { until } from "../../lib/testing/until";
import { completed, makeTables, type Shop } from "./shop";

/** The first package that had a command to migrate, as npm would hold it. */
export const FIRST = fileURLToPath(new URL("first/handrail-778f4043.tgz", import.meta.url));
const BEFORE = 200;
const ALL = 240;
type Check = (what: string, work: () => unknown) => Promise<unknown>;

/** From one package to another with 200 runs in flight, by workers of both, then out of the database. */
export async function upgrade(pool: Pool, before: Shop, after: Shop, check: Check): Promise<void> {
  await before.migrate();
  await callWitness(pool);
  await makeTables(pool);
  const old = [before.aWorker(), before.aWorker()];
  await before.start(0, BEFORE);
  await until("The first end", async () => (await completed(pool)) > 0);
  expect(await completed(pool)).toBeLessThan(BEFORE / 2);
  await check("handrail migrate, while workers of the version before go on", () => after.migrate());
  const survivors = [after.aWorker(), after.aWorker()];
  // The app of before still runs somewhere, and one of its workers dies.
  await before.start(BEFORE, BEFORE + 20);
  old[0]?.kill("SIGKILL");
  await after.start(BEFORE + 20, ALL);
  await check("a worker of the version before stops with 0 on TERM", () => old[1]?.stop());
  await check(`all ${ALL} runs end`, () =>
    until("The end of all", async () => (await completed(pool)) === ALL, 90_000),
  );
  await check("every order is placed, charged and paid once, by the version that it began with", () =>
    isDoneOnce(pool),
  );
  await check("no rule of the engine is broken, and the witness saw nothing", () => expectInvariants(pool));
  for (const worker of survivors) await worker.stop();
  await pool.query("drop schema witness cascade");
  await pool.query("drop schema handrail cascade");
  await check("drop schema handrail cascade leaves the app's tables alone", async () => {
    const left = "select nspname from pg_namespace where nspname !~ '^(pg_|information_schema)'";
    expect((await pool.query(left)).rows).toEqual([{ nspname: "public" }]);
    await isDoneOnce(pool);
  });
}

async function isDoneOnce(pool: Pool): Promise<void> {
  const tally = async (statement: string) => (await pool.query(statement)).rows[0];
  const facts = { orders: ALL, ofTheFirst: BEFORE + 20 };
  const count = `select count(*)::int as orders, (count(*) filter (where version = 1))::int as "ofTheFirst" from`;
  expect(await tally(`${count} placed`)).toEqual(facts);
  expect(await tally(`${count} paid`)).toEqual(facts);
  const charges = "select count(distinct id)::int as orders, count(distinct key)::int as keys from charged";
  expect(await tally(charges)).toEqual({ orders: ALL, keys: ALL });
}
