import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "../testing/database";
import { poolDb } from "./db";
import { Notifier } from "./notifier";
import { CHANGE_CHANNEL, type Change, WORK_CHANNEL } from "./notify";

let database: TestDatabase;
let listener: pg.Client;
const heard: { channel: string; payload: string; at: number }[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  listener = new pg.Client({ connectionString: database.url });
  await listener.connect();
  await listener.query(`listen ${WORK_CHANNEL}`);
  await listener.query(`listen ${CHANGE_CHANNEL}`);
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

it("sends the first note at once and gathers what follows", async () => {
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

it("stops naming runs beyond a hundred", async () => {
  const notifier = new Notifier(poolDb(database.pool));
  const ids = (count: number) => Array.from({ length: count }, (_, index) => `run-${index}`);
  notifier.change(ids(100));
  await vi.waitFor(() => expect(changes()[0]?.runIds).toHaveLength(100));
  notifier.change(ids(101));
  await vi.waitFor(() => expect(changes()[1]).toEqual({ runIds: [], many: true }), { timeout: 2_000 });
  await notifier.close();
});

it("says on its way out what it has gathered", async () => {
  const notifier = new Notifier(poolDb(database.pool));
  notifier.change(["a"]);
  await vi.waitFor(() => expect(heard).toHaveLength(1));
  notifier.change(["b"]);
  notifier.work();
  await notifier.close();
  await vi.waitFor(() =>
    expect(heard.map(({ channel }) => channel).sort()).toEqual([CHANGE_CHANNEL, CHANGE_CHANNEL, WORK_CHANNEL]),
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
