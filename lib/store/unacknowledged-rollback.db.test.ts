import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../testing/database/database";
import { inTransaction, poolDb } from "./db";

// On a foreign pool, such as an app's: it does not check returned connections.

let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query("create table note (id int primary key)");
  pool = new pg.Pool({ connectionString: database.url, max: 1 });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

it("a client whose rollback was not acknowledged loses no later write", async () => {
  const lost = inTransaction(pool, async (client) => {
    await client.query("insert into note (id) values (1)");
    const { query } = client;
    client.query = ((text: string, ...rest: unknown[]) =>
      text === "rollback"
        ? Promise.reject(new Error("Query read timeout"))
        : Reflect.apply(query, client, [text, ...rest])) as typeof query;
    throw new Error("no answer");
  });
  await expect(lost).rejects.toThrow("no answer");
  await poolDb(pool).query({ name: "insert-note", text: "insert into note (id) values (2)" }, []);
  const { rows } = await database.pool.query("select id from note order by id");
  expect(rows).toEqual([{ id: 2 }]);
});
