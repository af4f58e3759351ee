import { describe, expect, it } from "vitest";
import { until } from "../../testing/until";
import { aRemoteScene } from "../../testing/workers/remote-worker";

const scene = aRemoteScene();

const send = async (path: string, body: object) => {
  const answer = await scene.api.ask("POST", path, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
};
const toRun = (runId: string, name: string, payload: unknown) => send(`/v1/runs/${runId}/events`, { name, payload });
const toKey = (key: string, name: string, payload: unknown) => send("/v1/events", { name, key, payload });
const paid = { kind: "event", event: "paid" };

describe("a wait over HTTP", () => {
  it("frees the worker until the event comes, which is taken once", async () => {
    const { claim, runId, worker } = await scene.claim();
    expect(await claim.askFor("payment", paid)).toEqual({ next: "wait", for: "event", until: null, inMs: null });
    expect(await claim.handBack("payment")).toEqual({ status: "waiting" });
    expect((await scene.history(runId)).run).toMatchObject({ waiting_kind: "event", waiting_step: "payment" });
    expect(await worker.claims()).toEqual([]);
    await toRun(runId, "paid", { cents: 5 });
    const next = await worker.claim();
    const kept = { next: "completed", output: { cents: 5 }, reference: null };
    expect(await next.askFor("payment", paid)).toEqual(kept);
    expect(await next.askFor("payment", paid)).toEqual(kept);
    expect(await next.askFor("second-payment", paid)).toMatchObject({ next: "wait" });
    await next.complete();
  });

  it("misses nothing that comes between the question and the hand-back", async () => {
    const { claim, runId, worker } = await scene.claim();
    await claim.askFor("payment", paid);
    await toRun(runId, "paid", 1);
    expect((await worker.beat()).woken).toEqual([runId]);
    await claim.handBack("payment");
    const next = await worker.claim();
    expect(await next.askFor("payment", paid)).toMatchObject({ next: "completed", output: 1 });
    await next.complete();
  });

  it("goes to the first that waited for a key; the other looks again", async () => {
    const { claim, name, worker } = await scene.claim();
    const wait = { ...paid, key: "order-1" };
    await claim.askFor("payment", wait);
    await claim.handBack("payment");
    await scene.start(name);
    const later = await worker.claim();
    await toKey("order-1", "paid", "first");
    const outranked = await later.askFor("payment", wait);
    expect(outranked).toMatchObject({ next: "wait", for: "event" });
    expect(outranked.inMs).toBeLessThanOrEqual(5_000);
    await later.handBackUntil(outranked.inMs, "payment");
    expect((await scene.history(later.id)).run.due_at).not.toBeNull();
    const first = await worker.claim();
    expect(first.id).toBe(claim.id);
    expect(await first.askFor("payment", wait)).toMatchObject({ output: "first" });
    await first.complete();
  });

  it("ends by its timeout: with the default, or as a failure", async () => {
    const { claim } = await scene.claim();
    const soon = { ...paid, timeoutMs: 0 };
    await claim.askFor("a", { ...soon, default: { none: true } });
    await claim.askFor("b", soon);
    expect(await claim.askFor("a", { ...soon, default: { none: true } })).toMatchObject({ output: { none: true } });
    expect(await claim.askFor("b", soon)).toMatchObject({ next: "failed", error: { code: "wait_timed_out" } });
    await claim.complete();
  });

  it("asks a person, who answers in the console", async () => {
    const { claim, runId, worker } = await scene.claim();
    const question = { kind: "approval", question: "Pay it back?", choices: ["yes", "no"], data: { cents: 5 } };
    expect(await claim.askFor("may-pay", question)).toMatchObject({ next: "wait", for: "approval" });
    await claim.handBack("may-pay");
    const { body } = await scene.api.ask("GET", "/v1/approvals");
    expect(body.approvals).toMatchObject([{ runId, question: "Pay it back?", data: { cents: 5 } }]);
    await send(`/v1/runs/${runId}/approvals/may-pay/answer`, { choice: "yes", note: "it was broken" });
    const next = await worker.claim();
    expect(await next.askFor("may-pay", question)).toMatchObject({
      output: { choice: "yes", by: "operator", note: "it was broken" },
    });
    await next.complete();
  });

  it("takes what fits its filter, and refuses a filter that is none", async () => {
    const { claim, runId, worker } = await scene.claim();
    const large = { ...paid, where: { cents: { gte: 1_000 } } };
    await expect(claim.askFor("payment", { ...paid, where: { cents: { over: 5 } } })).rejects.toMatchObject({
      code: "invalid_workflow",
    });
    await toRun(runId, "paid", { cents: 5 });
    expect(await claim.askFor("payment", large)).toMatchObject({ next: "wait", for: "event" });
    await claim.handBack("payment");
    await toRun(runId, "paid", { cents: 5_000 });
    const next = await worker.claim();
    expect(await next.askFor("payment", large)).toMatchObject({ next: "completed", output: { cents: 5_000 } });
    expect(await next.askFor("small-payment", paid)).toMatchObject({ next: "completed", output: { cents: 5 } });
    await next.complete();
  });

  it("is refused where it makes no sense, before anything is on record", async () => {
    const { claim, runId } = await scene.claim();
    await expect(claim.askFor("x", { kind: "event", event: "$no" })).rejects.toMatchObject({
      code: "invalid_workflow",
    });
    const twice = { kind: "approval", question: "?", choices: ["a", "a"] };
    await expect(claim.askFor("x", twice)).rejects.toMatchObject({ code: "invalid_workflow" });
    await expect(claim.askFor("x", { kind: "sleep" })).rejects.toMatchObject({ code: "invalid_input" });
    await claim.ask("x");
    await expect(claim.sleep("x", 1)).rejects.toMatchObject({ code: "not_allowed" });
    expect((await scene.history(runId)).steps).toHaveLength(1);
    await until("its record", () => claim.completed("x", 1));
  });
});
