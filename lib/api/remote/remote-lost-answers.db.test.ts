import { afterAll, describe, expect, it } from "vitest";
import { startProxy, type TestProxy } from "../../testing/database/proxy";
import { aRemoteScene } from "../../testing/workers/remote-worker";

// The console dies, or loses its database, around a commit: the worker gets no answer, and repeats the request.

let proxy: TestProxy;
const scene = aRemoteScene({
  through: async (url) => {
    proxy = await startProxy(url);
    return proxy.url;
  },
});
afterAll(() => proxy.close());

/** A commit is a plain statement, which ends in NUL. */
const COMMIT = "commit\0";
const once = { effect: "once" };

describe.each(["loseAnswer", "cut"] as const)("a console whose commit meets a network that does %s", (trouble) => {
  /** Sent twice; the first answer was lost. */
  async function troubled<Body>(ask: () => Promise<Body>): Promise<Body> {
    const happened = proxy[trouble](COMMIT);
    await expect(ask()).rejects.toMatchObject({ status: 503 });
    await happened;
    return ask();
  }

  it("claims a run for the worker that asks again, once", async () => {
    const { name, worker, claim } = await scene.claim();
    await claim.complete();
    const runId = await scene.start(name);
    const taken = await troubled(() => worker.claims({}, `claim-${trouble}`));
    expect(taken).toMatchObject([{ id: runId, epoch: 1 }]);
    expect((await scene.history(runId)).run).toMatchObject({ epoch: 1, worker_id: Number(worker.id) });
  });

  it("begins an attempt once, and records it once, whatever its effect", async () => {
    const { claim, runId } = await scene.claim();
    expect(await troubled(() => claim.ask("fetch"))).toMatchObject({ next: "go", attempt: 1 });
    expect(await troubled(() => claim.failed("fetch", 1, { retryAfterMs: 0 }))).toMatchObject({ for: "retry" });
    expect(await troubled(() => claim.ask("fetch"))).toMatchObject({ next: "go", attempt: 2 });
    expect(await troubled(() => claim.completed("fetch", 2, 7))).toMatchObject({ next: "completed", output: 7 });
    expect(await troubled(() => claim.ask("mail", once, `mail-${trouble}`))).toMatchObject({ next: "go", attempt: 1 });
    const doubt = { mayHaveHappened: true };
    expect(await troubled(() => claim.failed("mail", 1, doubt))).toMatchObject({ for: "operator" });
    const { steps, attempts } = await scene.history(runId);
    expect(steps).toMatchObject([
      { name: "fetch", status: "completed", attempt: 2, failures: 1 },
      { name: "mail", status: "unknown", attempt: 1, failures: 1 },
    ]);
    expect(attempts).toMatchObject([{ step: "fetch", number: 1, status: "failed" }]);
  });

  it("takes an event once, and lets the run rest and end once", async () => {
    const { claim, runId, worker } = await scene.claim();
    const paid = { kind: "event", event: "paid", key: `order-${trouble}` };
    expect(await troubled(() => claim.askFor("payment", paid))).toMatchObject({ next: "wait", for: "event" });
    expect(await troubled(() => claim.handBack("payment"))).toEqual({ status: "waiting" });
    const event = { name: "paid", key: paid.key, payload: 5 };
    await scene.api.ask("POST", "/v1/events", { body: event });
    const next = await worker.claim();
    expect(await troubled(() => next.askFor("payment", paid))).toMatchObject({ next: "completed", output: 5 });
    expect(await troubled(() => next.complete("paid"))).toEqual({ status: "completed" });
    expect((await scene.history(runId)).run).toMatchObject({ status: "completed", output: "paid", epoch: next.epoch });
  });

  it("compensates each step under one key, and ends the run once", async () => {
    const { claim, worker, runId } = await scene.claim({ workflow: { onFailure: "compensate" } });
    await claim.ask("book");
    const booked = { attempt: 1, outcome: "completed", output: 1, compensate: "automatic" };
    await claim.record("book", booked);
    expect(await troubled(() => claim.fail({}, `fail-${trouble}`))).toEqual({ status: "compensating" });
    await expect(claim.fail()).rejects.toMatchObject({ code: "claim_lost" });
    const next = await worker.claim();
    const undo = await troubled(() => next.nextCompensation());
    expect(undo).toMatchObject({ step: "book", idempotencyKey: `${runId}:book:1:undo` });
    const { generation, attempt } = undo;
    const undone = { generation, attempt, outcome: "completed" };
    expect(await troubled(() => next.recordCompensation("book", undone))).toEqual({ status: "completed" });
    expect(await troubled(() => next.nextCompensation())).toEqual({ next: "none", status: "compensated" });
  });
});
