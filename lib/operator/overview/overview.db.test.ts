import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Db, poolDb } from "../../store/db";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { aRun } from "../../testing/rows/a-run";
import { storeRun } from "../../testing/rows/run-rows";
import { readOverview } from "../runs/reads";

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = poolDb(database.pool);
});
afterAll(() => database.drop());

it("an outage does not hide the one question that waits for an answer, and the worst still comes first", async () => {
  const question = await storeRun(
    db,
    {},
    {
      status: "waiting",
      attention: "approval",
      waiting: { kind: "approval", step: "approve" },
      steps: [{ name: "approve", kind: "approval", status: "waiting" }],
    },
  );
  const unknown = await aRun(db).waitingUnknown("charge-payment");
  for (let n = 0; n < 25; n++) await aRun(db).failedAt("charge-payment");
  const { needsPerson, byAttention } = await readOverview(db, { cap: 100, demo: false });
  expect(byAttention).toMatchObject({ failed: 25, approval: 1 });
  expect(needsPerson).toHaveLength(20);
  expect(needsPerson[0]?.id).toBe(unknown);
  expect(needsPerson.slice(1, -1).every(({ attention }) => attention === "failed")).toBe(true);
  expect(needsPerson.at(-1)?.id).toBe(question);
});

it("completed runs that not all were counted are no exact number", async () => {
  await database.pool.query(`
    insert into handrail.run (id, workflow, version, status, input, created_at, started_at, finished_at)
    select (lpad(to_hex(1750000000000 + n), 12, '0') || '7000' || '8000' || lpad(to_hex(n), 12, '0'))::uuid,
      'big', 1, 'completed', '{}', at, at, at + interval '1 s'
    from (select n, to_timestamp(1750000000 + n / 1000.0) as at from generate_series(1, 6000) as n) as made`);
  const { byStatus, capped, partial } = await readOverview(db, { cap: 10_000, demo: false });
  expect(byStatus.completed).toBeLessThan(6_000);
  expect({ capped, partial }).toEqual({ capped: false, partial: { byStatus: ["completed"], byAttention: [] } });
});

it("takes a few of a console's connections, not all of them", async () => {
  const pool = new pg.Pool({ connectionString: database.url, max: 10 });
  try {
    await readOverview(poolDb(pool), { cap: 100, demo: false, reader: "mia" });
    expect(pool.totalCount).toBeLessThanOrEqual(4);
  } finally {
    await pool.end();
  }
});
