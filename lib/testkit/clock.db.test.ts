import { beforeAll, expect, it } from "vitest";
import { anEngine } from "../testing/workers/engine";
import { letTimePass } from "./clock";

const engine = anEngine();

// The tables are looked at once.
beforeAll(async () => {
  const { pool } = engine.database;
  for (const table of ["a_first", "z_last"])
    await pool.query(`create table handrail.${table} as select '2026-01-01T00:00:00Z'::timestamptz as at`);
  await pool.query(`create table handrail.by_hour as
    select at from unnest('{2026-01-01T02:00:00Z,2026-01-01T01:00:00Z}'::timestamptz[]) as at`);
  await pool.query("create unique index on handrail.by_hour (at)");
});

it("tries again when a transaction holds its rows in another order: both of them commit", async () => {
  const { pool } = engine.database;
  const other = await pool.connect();
  await other.query("begin");
  await other.query("update handrail.z_last set at = at");
  const passing = letTimePass(pool, 60_000);
  await expect
    .poll(async () => (await pool.query("select from pg_stat_activity where wait_event_type = 'Lock'")).rowCount)
    .toBe(1);
  await other.query("update handrail.a_first set at = at");
  await other.query("commit");
  other.release();
  await passing;
  const { rows } = await pool.query(
    "select a_first.at as first, z_last.at as last from handrail.a_first, handrail.z_last",
  );
  expect(rows).toEqual([{ first: new Date("2025-12-31T23:59:00Z"), last: new Date("2025-12-31T23:59:00Z") }]);
});

it("moves rows that an instant tells apart, also into each other's places", async () => {
  const hours = async () => {
    const text = "select extract(epoch from at)::int / 3600 as hour from handrail.by_hour order by at";
    return (await engine.database.pool.query<{ hour: number }>(text)).rows.map(({ hour }) => hour);
  };
  const before = await hours();
  await letTimePass(engine.database.pool, 3_600_000);
  expect(await hours()).toEqual(before.map((hour) => hour - 1));
});
