import { afterAll, beforeAll, expect, it } from "vitest";
import { poolDb } from "../../store/db";
import { OTLP_PATH, randomHex, requestOf } from "../../testing/api/otlp";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { ChildConsole } from "../../testing/processes/crash";
import { aRun } from "../../testing/rows/a-run";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it("spans whose receipt was acknowledged before a SIGKILL are there, and those that are sent again are there once", async () => {
  const runId = await aRun(poolDb(database.pool)).completed();
  const doomed = await ChildConsole.spawn(database);
  const batches = Array.from({ length: 40 }, () =>
    Array.from({ length: 20 }, () => ({ runId, traceId: randomHex(32), spanId: randomHex(16) })),
  );
  const acknowledged = new Set<string>();
  const left = batches.values();
  const sender = async () => {
    for (const spans of left) {
      const answer = await doomed.post(OTLP_PATH, requestOf(spans)).catch(() => undefined);
      if (answer?.status === 200) for (const { spanId } of spans) acknowledged.add(spanId);
      if (acknowledged.size >= 200) await doomed.kill();
    }
  };
  await Promise.all([sender(), sender(), sender()]);
  expect(acknowledged.size).toBeGreaterThanOrEqual(200);
  expect(acknowledged.size).toBeLessThan(800);
  const kept = async () =>
    (await database.pool.query<{ id: string }>("select span_id as id from handrail.span where run_id = $1", [runId]))
      .rows;
  const there = new Set((await kept()).map(({ id }) => id));
  expect([...acknowledged].filter((id) => !there.has(id))).toEqual([]);
  const survivor = await ChildConsole.spawn(database);
  for (const spans of batches) expect((await survivor.post(OTLP_PATH, requestOf(spans))).status).toBe(200);
  expect((await kept()).length).toBe(800);
  await survivor.kill();
});
