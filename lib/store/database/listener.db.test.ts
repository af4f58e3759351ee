import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { startProxy, type TestProxy } from "../../testing/database/proxy";
import { until } from "../../testing/until";
import { Listener } from "./listener";

let database: TestDatabase;
let proxy: TestProxy;
const listeners: { listener: Listener; run: Promise<void> }[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await startProxy(database.url);
});
afterEach(async () => {
  for (const { listener, run } of listeners.splice(0)) {
    await listener.stop();
    await run;
  }
});
afterAll(async () => {
  await proxy.close();
  await database.drop();
});

function listen(url = database.url) {
  const notes: string[] = [];
  let connects = 0;
  const listener = new Listener(url, ["some_channel"], {
    onNote: (channel, payload) => notes.push(`${channel} ${payload}`),
    onConnect: () => connects++,
  });
  listeners.push({ listener, run: listener.run() });
  return { notes, listener, untilConnected: (times = 1) => until("The connection", () => connects >= times) };
}

const note = (payload: string) => database.pool.query("select pg_notify('some_channel', $1)", [payload]);
const sessions = async () =>
  (
    await database.pool.query<{ pid: number }>(
      "select pid from pg_stat_activity where application_name = 'handrail listener' and datname = current_database()",
    )
  ).rows.map(({ pid }) => pid);

it("receives notifications", async () => {
  const { notes, untilConnected } = listen();
  await untilConnected();
  await note("first");
  await until("The note", () => notes.length === 1);
  expect(notes).toEqual(["some_channel first"]);
});

it("reconnects when its session is ended, reports it, and receives later notifications", async () => {
  const { notes, untilConnected } = listen();
  await untilConnected();
  for (let times = 1; times <= 3; times++) {
    for (const pid of await sessions()) await database.pool.query("select pg_terminate_backend($1)", [pid]);
    await untilConnected(times + 1);
  }
  await note("after");
  await until("The note", () => notes.includes("some_channel after"));
  expect(await sessions()).toHaveLength(1);
});

it("reconnects when its network breaks, also during its request to listen", async () => {
  const broken = [proxy.cut("some_channel"), proxy.cut("some_channel")];
  const { notes, untilConnected } = listen(proxy.url);
  await Promise.all(broken);
  await untilConnected();
  await note("after");
  await until("The note", () => notes.length === 1);
});

it("leaves no session behind when Postgres does not let it listen, and says so once", async () => {
  const said: string[] = [];
  const listener = new Listener(database.url, [""], {
    onNote: () => undefined,
    onConnect: () => undefined,
    onDeaf: (message) => said.push(message),
  });
  listeners.push({ listener, run: listener.run() });
  await until("What it says", () => said.length > 0);
  await until("The end of its session", async () => (await sessions()).length === 0);
  expect(said).toEqual([expect.stringContaining("refuses LISTEN")]);
});

it("ends when it is stopped, in any state", async () => {
  const connected = listen();
  await connected.untilConnected();
  await connected.listener.stop();
  const connecting = listen();
  await connecting.listener.stop();
  const refused = listen("postgresql://postgres:wrong@127.0.0.1:1/none");
  await refused.listener.stop();
  await Promise.all(listeners.splice(0).map(({ run }) => run));
  await until("The end of its sessions", async () => (await sessions()).length === 0);
});
