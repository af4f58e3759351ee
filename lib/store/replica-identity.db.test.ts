import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../testing/database/database";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it("each table tells its rows apart, so that a publication of all tables refuses no delete", async () => {
  const { rows } = await database.pool.query(`
    select relname from pg_class where relnamespace = 'handrail'::regnamespace and relkind in ('r', 'p') and relpersistence = 'p'
      and relreplident <> 'f' and not exists (select from pg_index where indrelid = pg_class.oid and indisprimary)`);
  expect(rows).toEqual([]);
});
