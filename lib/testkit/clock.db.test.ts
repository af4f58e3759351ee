import { expect, it } from "vitest";
import { anEngine } from "../testing/workers/engine";
import { letTimePass } from "./clock";

const engine = anEngine();

it("yields to whoever takes its rows in another order: neither of the two loses its transaction", async () => {
  const { pool } = engine.database;
  for (const table of ["a_first", "z_last"])
    await pool.query(`create table handrail.${table} as select '2026-01-01T00:00:00Z'::timestamptz as at`);
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
