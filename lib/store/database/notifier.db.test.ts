import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { poolDb } from "../db";
import { Notifier } from "./notifier";
import { type Change, changeChannel, workChannel } from "./notify";

/** Longer than any test: gathered notifications are never sent. */
const NEVER_MS = 3_600_000;

let database: TestDatabase;
let listener: pg.Client;
const heard: { channel: string; payload: string; at: number }[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  listener = new pg.Client({ connectionString: database.url });
  await listener.connect();
  await listener.query(`listen ${workChannel()}`);
  await listener.query(`listen ${changeChannel()}`);
  listener.on("notification", ({ channel, payload = "" }) => heard.push({ channel, payload, at: performance.now() }));
});
afterAll(async () => {
  await listener.end();
  await database.drop();
});
beforeEach(() => {
  heard.length = 0;
});

const changes = () => heard.map(({ payload }) => JSON.parse(payload) as Change);

it("sends the first notification at once and batches later ones", async () => {
  const notifier = new Notifier(poolDb(database.pool));
  notifier.change(["a"]);
  await vi.waitFor(() => expect(changes()).toEqual([{ runIds: ["a"], many: false }]));
  notifier.change(["b"]);
  notifier.change(["c", "b"]);
  await vi.waitFor(() => expect(heard).toHaveLength(2), { timeout: 2_000 });
  expect(changes()[1]).toEqual({ runIds: ["b", "c"], many: false });
  expect((heard[1]?.at ?? 0) - (heard[0]?.at ?? 0)).toBeGreaterThan(200);
  await notifier.close();
});

it("publishes at once what a caller waits for, however long progress is batched", async () => {
  const notifier = new Notifier(poolDb(database.pool), NEVER_MS);
  notifier.change(["a"]);
  await vi.waitFor(() => expect(changes()).toEqual([{ runIds: ["a"], many: false }]));
  notifier.change(["b"]);
  for (const runId of ["a", "b", "c"]) {
    heard.length = 0;
    notifier.changeAtOnce([runId]);
    await vi.waitFor(() => expect(changes()).toEqual([{ runIds: [runId], many: false, urgent: true }]));
  }
  heard.length = 0;
  await notifier.close();
  await vi.waitFor(() => expect(changes()).toEqual([{ runIds: ["b"], many: false }]));
});

it("does not delay a caller that starts one run after the other", async () => {
  const notifier = new Notifier(poolDb(database.pool), NEVER_MS);
  for (let starts = 1; starts <= 5; starts++) {
    notifier.work();
    await vi.waitFor(() => expect(heard).toHaveLength(starts));
  }
  await notifier.close();
});

it("names all ends of a flush, in one statement", async () => {
  const db = poolDb(database.pool);
  let statements = 0;
  const query: typeof db.query = (...asked) => {
    statements++;
    return db.query(...asked);
  };
  const notifier = new Notifier({ ...db, query });
  const ids = Array.from({ length: 250 }, () => crypto.randomUUID());
  for (const id of ids) notifier.changeAtOnce([id]);
  await vi.waitFor(() => expect(changes().flatMap(({ runIds }) => runIds)).toEqual(ids));
  expect(statements).toBe(1);
  expect(Math.max(...heard.map(({ payload }) => payload.length))).toBeLessThan(8_000);
  await notifier.close();
});

it("names at most a hundred runs", async () => {
  const notifier = new Notifier(poolDb(database.pool));
  const ids = (count: number) => Array.from({ length: count }, (_, index) => `run-${index}`);
  notifier.change(ids(100));
  await vi.waitFor(() => expect(changes()[0]?.runIds).toHaveLength(100));
  notifier.change(ids(101));
  await vi.waitFor(() => expect(changes()[1]).toEqual({ runIds: [], many: true }), { timeout: 2_000 });
  await notifier.close();
});

it("sends its batch when it closes", async () => {
  const notifier = new Notifier(poolDb(database.pool));
  notifier.change(["a"]);
  await vi.waitFor(() => expect(heard).toHaveLength(1));
  notifier.change(["b"]);
  notifier.work();
  await notifier.close();
  await vi.waitFor(() =>
    expect(heard.map(({ channel }) => channel).sort()).toEqual([changeChannel(), changeChannel(), workChannel()]),
  );
  notifier.change(["c"]);
  await notifier.close();
  expect(heard).toHaveLength(3);
});

it("survives a database that does not answer", async () => {
  let failing = true;
  const db = poolDb(database.pool);
  const notifier = new Notifier({
    ...db,
    query: (statement, values) => (failing ? Promise.reject(new Error("gone")) : db.query(statement, values)),
  });
  notifier.change(["lost"]);
  notifier.work();
  await new Promise((resolve) => setTimeout(resolve, 50));
  failing = false;
  notifier.change(["kept"]);
  await vi.waitFor(() => expect(changes()).toEqual([{ runIds: ["kept"], many: false }]), { timeout: 2_000 });
  await notifier.close();
});
