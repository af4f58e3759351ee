import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { until } from "../testing/until";
import { createHttpWorker } from "./http-worker";

/** A heartbeat every quarter of a second. */
const LEASE_MS = 1_000;

/** An installation that registers, and refuses to hand out runs. */
function refusing(status: number, code: string) {
  const heartbeats: number[] = [];
  const send = async (address: string | URL | Request) => {
    const path = String(address);
    if (path.endsWith("/claims"))
      return Response.json({ error: { code, message: "No.", details: {}, requestId: "r" } }, { status });
    if (path.endsWith("/heartbeats")) heartbeats.push(Date.now());
    return Response.json(path.endsWith("/registrations") ? { workerId: "1" } : { cancelled: [], paused: [] });
  };
  return { heartbeats, send: send as typeof fetch };
}

it.each([
  [401, "unauthenticated"],
  [403, "forbidden"],
  [404, "not_found"],
])("a worker that is refused with %i says so, and beats no more", async (status, code) => {
  const { heartbeats, send } = refusing(status, code);
  const worker = createHttpWorker({ url: "http://127.0.0.1:1", leaseMs: LEASE_MS, fetch: send });
  await worker.workflow({ name: "pay" }, async () => null).start();
  await expect(worker.ended).rejects.toMatchObject({ status, code });
  const before = heartbeats.length;
  await delay(LEASE_MS);
  expect(heartbeats.length).toBe(before);
  await expect(worker.stop()).rejects.toMatchObject({ code });
});

it("a heartbeat that hangs is sent again before the lease is over", async () => {
  let heartbeats = 0;
  const send: typeof fetch = (address, init) => {
    const path = String(address);
    if (path.endsWith("/heartbeats")) heartbeats++;
    if (path.endsWith("/claims") || (path.endsWith("/heartbeats") && heartbeats === 1))
      return new Promise((_, fail) => init?.signal?.addEventListener("abort", () => fail(init.signal?.reason)));
    return Promise.resolve(
      Response.json(path.endsWith("/registrations") ? { workerId: "1" } : { cancelled: [], paused: [] }),
    );
  };
  const worker = createHttpWorker({ url: "http://127.0.0.1:1", leaseMs: 4 * LEASE_MS, fetch: send });
  await worker.workflow({ name: "pay" }, async () => null).start();
  await until("a second heartbeat", () => heartbeats > 1);
  await worker.stop();
});
