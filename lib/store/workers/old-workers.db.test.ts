import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { aRegisteredWorker } from "../../testing/rows/claims";
import { poolDb } from "../db";
import { deleteOldWorkers } from "./old-workers";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it("deletes only workers that stopped long ago, a bounded number at once", async () => {
  const db = poolDb(database.pool);
  const gone = (id: number, days: number) =>
    database.pool.query(
      "update handrail.worker set stopped_at = clock_timestamp() - $2::int * interval '1 day' where id = $1",
      [id, days],
    );
  const old = [await aRegisteredWorker(db), await aRegisteredWorker(db), await aRegisteredWorker(db)];
  for (const id of old) await gone(id, 8);
  const young = await aRegisteredWorker(db);
  await gone(young, 6);
  const living = await aRegisteredWorker(db);
  expect([await deleteOldWorkers(db, 2), await deleteOldWorkers(db, 2), await deleteOldWorkers(db, 2)]).toEqual([
    2, 1, 0,
  ]);
  const { rows } = await database.pool.query("select id::int from handrail.worker order by id");
  expect(rows.map(({ id }) => id)).toEqual([young, living]);
});
