import type { PoolClient } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { inKnownTransaction } from "./known-transaction";
import { beginLater } from "./one-trip";
import { createPool } from "./pools";
import { idOf, knownId } from "./transaction-id";

let database: TestDatabase;
let pool: ReturnType<typeof createPool>;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query("create table note (id int primary key)");
  const limits = { statementTimeoutMs: 5_000, idleInTransactionMs: 5_000 };
  pool = createPool({ databaseUrl: database.url, name: "one-trip", max: 1, ...limits });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(() => database.pool.query("truncate note"));

const notes = async () =>
  (await database.pool.query<{ id: number }>("select id from note order by id")).rows.map(({ id }) => id);
const INSERT = "insert into note values ($1)";
const last = { name: "last", text: "insert into note select 2 where 1 / $1::int = 1 returning id" };

/** The first statement of a body, as apps and their libraries give it. */
const FIRST: [string, (client: PoolClient) => unknown][] = [
  ["a text with values", (client) => client.query(INSERT, [1])],
  ["a text alone", (client) => client.query("insert into note values (1)")],
  ["a statement with values", (client) => client.query({ text: INSERT, values: [1] })],
  ["a prepared one", (client) => client.query({ name: "first", text: INSERT, values: [1] })],
  ["a prepared one again", (client) => client.query({ name: "first", text: INSERT, values: [1] })],
  ["two at once", (client) => Promise.all([client.query("select 1"), client.query(INSERT, [1])])],
  [
    "one with a callback",
    (client) =>
      new Promise((resolve, reject) =>
        client.query(INSERT, [1], (error, done) => (error ? reject(error) : resolve(done))),
      ),
  ],
];

describe.each(FIRST)("a transaction that begins with %s", (_, first) => {
  it("commits with its last statement", async () => {
    const answered = await inKnownTransaction(pool, async (client, tx, id) => {
      await first(client);
      const inside = await client.query("select pg_current_xact_id()::text as id");
      expect(inside.rows).toEqual([{ id: knownId(id) }]);
      return tx.queryAndCommit?.(last, [1]);
    });
    expect(answered).toEqual([{ id: 2 }]);
    expect(await notes()).toEqual([1, 2]);
  });

  it("keeps nothing when its last statement fails, nor when its body does", async () => {
    const failed = inKnownTransaction(pool, async (client, tx) => {
      await first(client);
      return tx.queryAndCommit?.(last, [0]);
    });
    await expect(failed).rejects.toMatchObject({ code: "22012" });
    const thrown = inKnownTransaction(pool, async (client) => {
      await first(client);
      throw new Error("no");
    });
    await expect(thrown).rejects.toThrow("no");
    expect(await notes()).toEqual([]);
  });
});

it("takes two round trips with a statement and a checkpoint", async () => {
  let answers = 0;
  const count = () => answers++;
  await inKnownTransaction(pool, async (client, tx, id) => {
    const { connection } = client as unknown as { connection: NodeJS.EventEmitter };
    connection.on("readyForQuery", count);
    await client.query(INSERT, [1]);
    await idOf(id);
    await tx.queryAndCommit?.(last, [1]);
    connection.off("readyForQuery", count);
  });
  expect(answers).toBe(2);
  expect(await notes()).toEqual([1, 2]);
});

it("begins without a statement of its body, once its id is asked for", async () => {
  await inKnownTransaction(pool, async (_, tx, id) => {
    expect(knownId(id)).toBeUndefined();
    expect(await idOf(id)).toMatch(/^\d+$/);
    await tx.queryAndCommit?.(last, [1]);
  });
  expect(await notes()).toEqual([2]);
});

it("stays aborted when its first statement fails and the body goes on", async () => {
  const swallowed = inKnownTransaction(pool, async (client, tx) => {
    await client.query("select 1 / $1::int", [0]).catch(() => undefined);
    await expect(client.query(INSERT, [1])).rejects.toMatchObject({ code: "25P02" });
    return tx.queryAndCommit?.(last, [1]);
  });
  await expect(swallowed).rejects.toMatchObject({ code: "25P02" });
  expect(await notes()).toEqual([]);
});

it.each([
  ["in one round trip", [INSERT, [1]]],
  ["before it", ["insert into note values (1)"]],
] as const)(
  "a `begin` that is refused, sent with the first statement %s, lets nothing more be executed",
  async (_, first) => {
    const client = await pool.connect();
    await client.query("begin");
    await client.query("select 1 / 0").catch(() => undefined);
    beginLater(client as never);
    const query = client.query as (...given: unknown[]) => Promise<unknown>;
    const sent = [Reflect.apply(query, client, first), client.query("rollback"), client.query(INSERT, [3])];
    const ends = await Promise.allSettled(sent);
    expect(ends.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(ends[0]).toMatchObject({ reason: { code: "25P02" } });
    client.release();
    expect(await notes()).toEqual([]);
  },
);
