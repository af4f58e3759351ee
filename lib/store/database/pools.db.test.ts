import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { createPool, type PoolOptions } from "./pools";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function settingsOf(options: Partial<PoolOptions>) {
  const limits = { databaseUrl: database.url, statementTimeoutMs: 1_000, idleInTransactionMs: 1_000 };
  const pool = createPool({ ...limits, name: "a pool", max: 1, ...options });
  try {
    const { rows } = await pool.query(
      "select name, setting from pg_settings where name in ('enable_bitmapscan', 'enable_seqscan', 'jit', 'max_parallel_workers_per_gather', 'plan_cache_mode') order by name",
    );
    return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
  } finally {
    await pool.end();
  }
}

it("plans reads that end at a limit without parallel workers and without compiling, and leaves other connections alone", async () => {
  const usual = await settingsOf({});
  expect(usual).toMatchObject({ plan_cache_mode: "auto" });
  expect(usual.max_parallel_workers_per_gather).not.toBe("0");
  expect(await settingsOf({ boundedReads: true })).toEqual({
    ...usual,
    jit: "off",
    max_parallel_workers_per_gather: "0",
  });
});

it("plans once for all values if configured, and for tables that grow", async () => {
  expect(await settingsOf({ onePlan: true })).toMatchObject({
    plan_cache_mode: "force_generic_plan",
    enable_bitmapscan: "off",
    enable_seqscan: "off",
    jit: "off",
  });
});
