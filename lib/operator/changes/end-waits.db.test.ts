import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { Notifier } from "../../store/database/notifier";
import { type Db, poolDb } from "../../store/db";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { aRun } from "../../testing/rows/a-run";
import { ChangeFeed } from "./change-feed";
import { EndWaits } from "./end-waits";
import { LongPoll } from "./long-poll";

/** Longer than any test: only a notification can end a wait before. */
const NEVER_MS = 3_600_000;

let database: TestDatabase;
let db: Db;
let feed: ChangeFeed;
let notifier: Notifier;
beforeAll(async () => {
  database = await createTestDatabase();
  db = poolDb(database.pool);
});
afterAll(() => database.drop());
beforeEach(() => {
  feed = new ChangeFeed(database.url);
  notifier = new Notifier(db);
});
afterEach(async () => {
  await Promise.all([notifier.close(), feed.close()]);
});

const waiting = {
  waitMs: 60_000,
  by: null,
  get signal() {
    return new AbortController().signal;
  },
};
const end = (runIds: string[]) =>
  database.pool.query(
    `update handrail.run set status = 'cancelled', finished_at = clock_timestamp(), due_at = null, waiting_kind = null,
       waiting_step = null, waiting_since = null
     where id = any ($1::uuid[])`,
    [runIds],
  );
const listeners = async () =>
  (
    await database.pool.query<{ pid: number }>(
      "select pid from pg_stat_activity where application_name = 'handrail listener' and datname = current_database()",
    )
  ).rows;
const manyRuns = async (count: number) =>
  (
    await database.pool.query<{ id: string }>(
      `insert into handrail.run (id, workflow, version, input, due_at)
       select handrail.new_id(), 'waited-for', 1, '{}', clock_timestamp() + interval '1 day' from generate_series(1, $1)
       returning id::text`,
      [count],
    )
  ).rows.map(({ id }) => id);

it("a thousand who wait share one connection and a few statements", async () => {
  let statements = 0;
  const query: Db["query"] = (...asked) => {
    statements++;
    return db.query(...asked);
  };
  const counted = { ...db, query };
  const ends = new EndWaits(counted, feed, NEVER_MS);
  const runIds = await manyRuns(1_000);
  const ended = Promise.all(runIds.map((runId) => ends.untilEnd(runId, waiting)));
  await vi.waitFor(async () => expect(await listeners()).toHaveLength(1), { timeout: 10_000 });
  await end(runIds);
  notifier.changeAtOnce(runIds);
  expect(new Set(await ended)).toEqual(new Set([true]));
  expect(statements).toBeLessThan(50);
  expect(feed.size).toBe(0);
});

it("hears of an end that commits before the connection listens", async () => {
  const ends = new EndWaits(db, feed, NEVER_MS);
  const [runId] = (await manyRuns(1)) as [string];
  const ended = ends.untilEnd(runId, waiting);
  await end([runId]);
  expect(await ended).toBe(true);
});

it("hears of an end although the connection died, and without any note", async () => {
  const [one, other] = (await manyRuns(2)) as [string, string];
  const ends = new EndWaits(db, feed, NEVER_MS);
  const ended = ends.untilEnd(one, waiting);
  await vi.waitFor(async () => expect(await listeners()).toHaveLength(1), { timeout: 10_000 });
  const pids = (await listeners()).map(({ pid }) => pid);
  await end([one]);
  await database.pool.query("select pg_terminate_backend(pid) from unnest($1::int[]) as pid", [pids]);
  expect(await ended).toBe(true);
  let reads = 0;
  const query: Db["query"] = (...asked) => db.query(...asked).finally(() => reads++) as never;
  const polling = new EndWaits({ ...db, query }, new ChangeFeed("postgresql://127.0.0.1:1/nowhere"), 20);
  const heard = polling.untilEnd(other, waiting);
  await vi.waitFor(() => expect(reads).toBeGreaterThan(0));
  await end([other]);
  expect(await heard).toBe(true);
});

it("ends a wait with the time, with the caller, and with the process; refuses what is not there", async () => {
  const ends = new EndWaits(db, feed, NEVER_MS);
  const runId = await aRun(db).asleepAfter("create-order");
  expect(await ends.untilEnd(runId, { ...waiting, waitMs: 0 })).toBe(false);
  expect(await ends.untilEnd(runId, { ...waiting, waitMs: 20 })).toBe(false);
  const left = new AbortController();
  const abandoned = ends.untilEnd(runId, { ...waiting, signal: left.signal });
  left.abort();
  expect(await abandoned).toBe(false);
  await expect(ends.untilEnd(crypto.randomUUID(), waiting)).rejects.toMatchObject({ code: "unknown_run" });
  const cutShort = ends.untilEnd(runId, waiting);
  await vi.waitFor(async () => expect(await listeners()).toHaveLength(1), { timeout: 10_000 });
  await feed.close();
  expect(await cutShort).toBe(false);
});

it("leaves room for others where one waits for too much", async () => {
  const ends = new EndWaits(db, feed, NEVER_MS);
  const [runId] = (await manyRuns(1)) as [string];
  const waitBy = (by: string) => ends.untilEnd(runId, { ...waiting, by });
  const waits = Array.from({ length: 2_000 }, () => waitBy("greedy"));
  await expect(waitBy("greedy")).rejects.toMatchObject({ code: "too_busy" });
  waits.push(waitBy("modest"));
  await end([runId]);
  expect(await waitBy("greedy")).toBe(true);
  notifier.changeAtOnce([runId]);
  expect(new Set(await Promise.all(waits))).toEqual(new Set([true]));
});

it("wakes a long poll for work by a note that there is some", async () => {
  const poll = new LongPoll(feed, waiting);
  await vi.waitFor(async () => expect(await listeners()).toHaveLength(1), { timeout: 10_000 });
  // The connection itself wakes once: earlier notifications were missed.
  expect(await poll.again(NEVER_MS)).toBe(true);
  notifier.work();
  expect(await poll.again(NEVER_MS)).toBe(true);
  poll.end();
});
