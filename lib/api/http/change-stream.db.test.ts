import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { Notifier } from "../../store/database/notifier";
import { type ApiOnADatabase, anApiOnADatabase } from "../../testing/api/api-on-a-database";
import { aRun } from "../../testing/rows/a-run";
import { changeEvent } from "../contract/responses";

let { api, database, db, close } = {} as ApiOnADatabase;
beforeAll(async () => {
  ({ api, database, db, close } = await anApiOnADatabase());
});
afterAll(() => close());

/** Follows the stream until it ends or is aborted; `text` is everything received. */
async function follow(headers: Record<string, string> = {}) {
  const controller = new AbortController();
  const response = await api.send("GET", "/v1/stream", { headers, signal: controller.signal });
  const followed = { response, text: "", ended: false, giveUp: () => controller.abort() };
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>)
      followed.text += decoder.decode(chunk);
  };
  void read().finally(() => {
    followed.ended = true;
  });
  await vi.waitFor(() => expect(followed.text).toContain("id: 0"));
  return followed;
}

const events = (text: string) =>
  [...text.matchAll(/event: (change|resync)\ndata: (.*)\n\n/g)].map(([, name, data]) => ({
    name,
    ...changeEvent.parse(JSON.parse(data as string)),
  }));
const resync = { name: "resync", runIds: [], many: true };
const listening = async () => (await import("../../server")).server().feed.size;
const backends = async () =>
  (
    await database.pool.query(
      "select pid from pg_stat_activity where application_name = 'handrail listener' and datname = current_database()",
    )
  ).rows;

it("listens on one connection for two hundred streams", async () => {
  const clients = await Promise.all(Array.from({ length: 200 }, () => follow()));
  await vi.waitFor(async () => expect(await listening()).toBe(200));
  await vi.waitFor(async () => expect(await backends()).toHaveLength(1));
  for (const client of clients) client.giveUp();
  await vi.waitFor(async () => expect(await listening()).toBe(0));
});

it("sends every client an action's change, over one connection", async () => {
  const runId = await aRun(db).failedAt("charge-payment");
  const clients = await Promise.all([follow(), follow(), follow()]);
  expect(clients[0]?.response.headers.get("content-type")).toContain("text/event-stream");
  expect(clients[0]?.response.headers.get("cache-control")).toContain("no-transform");
  await vi.waitFor(async () => expect(await backends()).toHaveLength(1));
  await api.ask("POST", `/v1/runs/${runId}/reruns`, { body: { reason: "again" } });
  for (const client of clients)
    await vi.waitFor(() =>
      expect(events(client.text)).toContainEqual({ name: "change", runIds: [runId], many: false }),
    );
  for (const client of clients) client.giveUp();
  await vi.waitFor(async () => {
    expect(clients.every(({ ended }) => ended)).toBe(true);
    expect(await listening()).toBe(0);
  });
});

it("asks a reconnected client to reload everything", async () => {
  const client = await follow({ "last-event-id": "0" });
  await vi.waitFor(() => expect(events(client.text)).toEqual([resync]));
  client.giveUp();
});

it("asks every client to reload everything after the connection was lost", async () => {
  const client = await follow();
  await vi.waitFor(() => expect(events(client.text)).toEqual([resync]));
  await vi.waitFor(async () => expect(await backends()).toHaveLength(1));
  await database.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'handrail listener' and datname = current_database()",
  );
  await vi.waitFor(() => expect(events(client.text)).toEqual([resync, resync]), { timeout: 10_000 });
  client.giveUp();
});

it("names no more runs than a client can reload", async () => {
  const client = await follow();
  await vi.waitFor(() => expect(events(client.text)).toContainEqual(resync));
  const notifier = new Notifier(db);
  notifier.change(Array.from({ length: 150 }, () => crypto.randomUUID()));
  await vi.waitFor(() => expect(events(client.text)).toContainEqual({ name: "change", runIds: [], many: true }));
  await notifier.close();
  client.giveUp();
});

it("sends a new client what changed while its page was on the way", async () => {
  const notifier = new Notifier(db);
  try {
    const first = await follow();
    await vi.waitFor(() => expect(events(first.text)).toContainEqual(resync));
    const now = performance.now.bind(performance);
    vi.spyOn(performance, "now").mockImplementation(() => now() + 10_000);
    notifier.change(["a"]);
    await vi.waitFor(() => expect(events(first.text)).toContainEqual({ name: "change", runIds: ["a"], many: false }));
    const second = await follow();
    await vi.waitFor(() => expect(events(second.text)).toEqual([{ name: "change", runIds: ["a"], many: false }]));
    first.giveUp();
    second.giveUp();
  } finally {
    await notifier.close();
    vi.restoreAllMocks();
  }
});

it("gathers for a client that does not read", async () => {
  const response = await api.send("GET", "/v1/stream");
  const notifier = new Notifier(db);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const read = async () => new TextDecoder().decode((await reader.read()).value);
  expect(await read()).toContain("id: 0");
  expect(events(await read())).toEqual([resync]);
  for (const runId of ["a", "b", "c"]) {
    notifier.change([runId]);
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  expect(events(await read())).toEqual([{ name: "change", runIds: ["a", "b", "c"], many: false }]);
  await reader.cancel();
  await notifier.close();
  await vi.waitFor(async () => expect(await listening()).toBe(0));
});

it("ends every stream when the process does", async () => {
  const client = await follow();
  const { shutdown } = await import("../../shutdown");
  await shutdown();
  await vi.waitFor(() => expect(client.ended).toBe(true));
});
