import pg, { type Pool, type PoolClient, types } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createPrisma } from "../../demo/services/prisma";
import { createTestDatabase, type TestDatabase } from "../testing/database/database";
import { until } from "../testing/until";
import { createPool } from "./database/pools";
import { openSession, reachesBackend } from "./database/session";
import { type Db, inTransaction, isRefusal, poolDb, sqlState } from "./db";

const LIMITS = { statementTimeoutMs: 5_000, idleInTransactionMs: 5_000 };
let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query("create table note (id int primary key)");
});
beforeEach(() => {
  pool = createPool({ databaseUrl: database.url, name: "pool under test", max: 1, ...LIMITS });
});
afterEach(async () => {
  await pool.end();
  await database.pool.query("truncate note");
});
afterAll(() => database.drop());

const notes = async () => (await database.pool.query("select id from note order by id")).rows.map(({ id }) => id);
const insert = (id: number) => ({ name: `insert-${id}`, text: `insert into note (id) values (${id})` });
const pidOf = async (client: Pick<PoolClient, "query">) =>
  (await client.query("select pg_backend_pid() as pid")).rows[0].pid as number;

/** Ends the session from outside, as an administrator or a network would. */
async function cut(pid: number): Promise<void> {
  await database.pool.query("select pg_terminate_backend($1)", [pid]);
  await until("The end of the session", async () => {
    const { rows } = await database.pool.query("select from pg_stat_activity where pid = $1", [pid]);
    return rows.length === 0;
  });
}

describe("a transaction", () => {
  it("commits when its body resolves, and rolls back when it throws", async () => {
    const db = poolDb(pool);
    await db.transaction((tx) => tx.query(insert(1), []));
    const failing = db.transaction(async (tx) => {
      await tx.query(insert(2), []);
      throw new Error("changed my mind");
    });
    await expect(failing).rejects.toThrow("changed my mind");
    expect(await notes()).toEqual([1]);
  });

  it("survives the end of its session while its body does something else", async () => {
    const lost = inTransaction(pool, async (client) => {
      await client.query("insert into note (id) values (1)");
      await cut(await pidOf(client));
      await client.query("insert into note (id) values (2)");
    });
    await expect(lost).rejects.toThrow();
    await poolDb(pool).query(insert(3), []);
    expect(await notes()).toEqual([3]);
  });

  it("whose rollback is not acknowledged leaves no client behind", async () => {
    let first = 0;
    const lost = inTransaction(pool, async (client) => {
      first = await pidOf(client);
      await client.query("insert into note (id) values (1)");
      const { query } = client;
      client.query = ((text: string, ...rest: unknown[]) =>
        text === "rollback"
          ? Promise.reject(new Error("Query read timeout"))
          : Reflect.apply(query, client, [text, ...rest])) as typeof query;
      throw new Error("no answer");
    });
    await expect(lost).rejects.toThrow("no answer");
    await poolDb(pool).query(insert(2), []);
    expect(await notes()).toEqual([2]);
    expect(await pidOf(pool)).not.toBe(first);
  });
});

describe("the pool", () => {
  it("takes back no client with an open transaction, from any borrower", async () => {
    const client = await pool.connect();
    await client.query("begin");
    client.release();
    await poolDb(pool).query(insert(1), []);
    expect(await notes()).toEqual([1]);
  });

  it("takes back no client whose statement still runs", async () => {
    const client = await pool.connect();
    const first = await pidOf(client);
    const unanswered = client.query("begin; select pg_sleep(0.2)").catch(() => undefined);
    client.release();
    await poolDb(pool).query(insert(1), []);
    await unanswered;
    expect(await notes()).toEqual([1]);
    expect(await pidOf(pool)).not.toBe(first);
  });

  it("keeps a client whose statement Postgres refused", async () => {
    const first = await pidOf(pool);
    await expect(poolDb(pool).query({ name: "wrong", text: "select 1 / 0" }, [])).rejects.toMatchObject({
      code: "22012",
    });
    expect(await pidOf(pool)).toBe(first);
  });

  it("replaces a client whose server takes no writes: the next one may lead to the new primary", async () => {
    const first = await pidOf(pool);
    const refused = inTransaction(pool, async (client) => {
      await client.query("set transaction read only");
      await client.query("insert into note (id) values (1)");
    });
    await expect(refused).rejects.toMatchObject({ code: "25006" });
    expect(await pidOf(pool)).not.toBe(first);
  });

  it("leaves a session alone that commits more carefully than requested", async () => {
    const remote = `${database.url}?options=-c%20synchronous_commit%3Dremote_apply`;
    const limits = { max: 1, statementTimeoutMs: 5_000, idleInTransactionMs: 5_000 };
    const careful = createPool({ databaseUrl: remote, name: "careful", ...limits });
    expect((await careful.query("show synchronous_commit")).rows).toEqual([{ synchronous_commit: "remote_apply" }]);
    await careful.end();
  });

  it("replaces a client whose session was ended while idle", async () => {
    await cut(await pidOf(pool));
    // The client may not have read the end of its session yet.
    await until("The pool to notice", () => pool.totalCount === 0);
    await poolDb(pool).query(insert(1), []);
    expect(await notes()).toEqual([1]);
  });

  it("keeps what Prisma committed, and nothing of a transaction of Prisma's that lost its session", async () => {
    const prisma = createPrisma(pool);
    const lost = prisma.$transaction(async (tx) => {
      await tx.order.create({ data: { id: "lost", amountCents: 1, email: "a@example.com" } });
      const [row] = await tx.$queryRaw<{ pid: number }[]>`select pg_backend_pid() as pid`;
      await cut(row?.pid as number);
      await tx.order.create({ data: { id: "later", amountCents: 1, email: "a@example.com" } });
    });
    await expect(lost).rejects.toThrow();
    await poolDb(pool).query(insert(1), []);
    expect(await notes()).toEqual([1]);
    expect(await prisma.order.count()).toBe(0);
    await prisma.$disconnect();
  });

  it("limits its sessions, so that no lock is held forever", async () => {
    const { rows } = await pool.query(
      "select current_setting('statement_timeout') as statement, current_setting('idle_in_transaction_session_timeout') as idle, current_setting('synchronous_commit') as commit",
    );
    expect(rows).toEqual([{ statement: "5s", idle: "5s", commit: "on" }]);
  });
});

describe("a statement", () => {
  it("reads instants, numbers and JSON the same, whatever parsers the app has set for its process", async () => {
    const changed = [16, 23, 114, 1184, 2950, 3802];
    const before = changed.map((oid) => types.getTypeParser(oid, "text"));
    for (const oid of changed) types.setTypeParser(oid, (text) => `as ${text}`);
    try {
      const text = `select timestamptz '2026-11-28 21:05:54.123456+05:30' as at, timestamptz '0450-01-01 00:00:00+00' as old, 7::int as n,
        true as yes, '{"a":1}'::json as j, '[2]'::jsonb as b, '01890000-0000-7000-8000-000000000001'::uuid as id`;
      const [row] = await poolDb(pool).query({ name: "", text }, []);
      expect(row).toEqual({
        ...{ at: new Date("2026-11-28T15:35:54.123Z"), old: new Date("0450-01-01T00:00:00Z"), n: 7, yes: true },
        ...{ j: { a: 1 }, b: [2], id: "01890000-0000-7000-8000-000000000001" },
      });
    } finally {
      for (const [place, oid] of changed.entries()) types.setTypeParser(oid, before[place] as () => unknown);
    }
  });

  it("reads instants in a session whose role or database has another style of dates", async () => {
    const url = new URL(database.url);
    url.searchParams.set("options", "-c datestyle=German -c default_transaction_isolation=serializable");
    const other = createPool({ databaseUrl: url.href, name: "with another style", max: 1, ...LIMITS });
    try {
      const text =
        "select timestamptz '2026-11-28 08:00:00+00' as at, current_setting('transaction_isolation') as level";
      expect(await poolDb(other).query({ name: "", text }, [])).toEqual([
        { at: new Date("2026-11-28T08:00:00Z"), level: "read committed" },
      ]);
    } finally {
      await other.end();
    }
  });

  it.each([
    ["goes on", (db: Db) => db],
    [
      "goes on at the next try of its transaction",
      (db: Db) => ({ query: (...asked: Parameters<Db["query"]>) => db.transaction((tx) => tx.query(...asked)) }),
    ],
  ])("that was prepared before a migration added a column %s", async (how, within) => {
    const read = () => within(poolDb(pool)).query({ name: "all-notes", text: "select * from note" }, []);
    await read();
    await database.pool.query("alter table note add column next text");
    if (how !== "goes on") await expect(read()).rejects.toThrow("cached plan");
    expect(await read()).toEqual([]);
    await database.pool.query("alter table note drop column next");
  });
});

it("a session whose server hides its process id is ours where its address says so, and a pooler's elsewhere", async () => {
  const settings = { statementTimeoutMs: 1_000, idleInTransactionMs: 2_000, onePlan: false, boundedReads: false };
  for (const [options, isOwn] of [
    ["-c handrail.sessions=dedicated", true],
    ["-c handrail.sessions=shared", false],
    ["", false],
  ] as const) {
    const url = new URL(database.url);
    url.searchParams.set("options", options);
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    Object.assign(client, { processID: 1 });
    try {
      expect([options, await reachesBackend(client)]).toEqual([options, isOwn]);
      expect((await openSession(client, settings)) === undefined, options).toBe(isOwn);
      const { rows } = await client.query("show idle_in_transaction_session_timeout");
      expect(rows).toEqual([{ idle_in_transaction_session_timeout: isOwn ? "2s" : "0" }]);
    } finally {
      await client.end();
    }
  }
});

describe("the code of an error", () => {
  it.each([
    ["Postgres", { code: "23505" }, "23505"],
    ["Prisma, raw", { code: "P2010", meta: { code: "40001" } }, "40001"],
    [
      "Prisma, by its adapter",
      { code: "P2034", meta: { driverAdapterError: { cause: { originalCode: "40P01" } } } },
      "40P01",
    ],
    ["a wrapper", { cause: { cause: { code: "57014" } } }, "57014"],
    ["PL/pgSQL", { code: "P0001" }, "P0001"],
    ["Prisma itself", { code: "P2028" }, undefined],
    ["a broken pipe", { code: "EPIPE" }, undefined],
    ["a connection reset", { code: "ECONNRESET" }, undefined],
    ["no source", undefined, undefined],
  ])("of %s", (_, error, expected) => {
    expect(sqlState(error)).toBe(expected);
  });

  it("says whether a retry could succeed", () => {
    expect(["22021", "23514", "42P01", "54000"].every((code) => isRefusal({ code }))).toBe(true);
    expect(["40001", "57P01", "57014", "53100", "08006", "25P03"].some((code) => isRefusal({ code }))).toBe(false);
  });
});
