import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { LOCAL_CALLER } from "../../access/asker";
import { collectGarbage } from "../../testing/collect-garbage";
import { askCell } from "./ask-cell";

/** A cell's console that begins an answer to `/v1/runs`, and none to other paths. It ends none. */
let hangs: Server;
beforeAll(async () => {
  hangs = createServer(({ url }, response) => {
    if (url === "/api/v1/runs") response.writeHead(200, { "content-type": "application/json" }).write("{");
  }).listen(0, "127.0.0.1");
  await once(hangs, "listening");
});
afterEach(() => void vi.useRealTimers());
afterAll(() => hangs.closeAllConnections());

const ask = (path: string, signal = new AbortController().signal) => {
  const origin = `http://127.0.0.1:${(hangs.address() as AddressInfo).port}`;
  const fleet = { own: "eu", cells: new Map([["us", origin]]), secret: "fleet-0123456789-abcdefghijklmnopqrst" };
  return askCell(fleet, "us", LOCAL_CALLER, new Request(`http://localhost/api/v1/cells/us/v1/${path}`, { signal }));
};

it("gives a cell up that does not answer within eight seconds, also when garbage was collected meanwhile", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const taken = once(hangs, "request");
  const answer = ask("overview").catch((error) => error);
  await taken;
  collectGarbage();
  vi.advanceTimersByTime(8_000);
  expect(await answer).toMatchObject({ code: "unavailable", details: { cell: "us" } });
});

it("passes on an answer that has begun, however long it takes", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const taken = once(hangs, "request");
  const answer = await ask("runs");
  const [, response] = await taken;
  vi.advanceTimersByTime(8_000);
  response.end("}");
  expect(await answer.json()).toEqual({});
});

it("gives it up when the caller does", async () => {
  const caller = new AbortController();
  const taken = once(hangs, "request");
  const answer = ask("overview", caller.signal).catch((error) => error);
  await taken;
  caller.abort();
  expect(await answer).toMatchObject({ code: "unavailable" });
});
