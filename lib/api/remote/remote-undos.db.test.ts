import { describe, expect, it } from "vitest";
import { until } from "../../testing/until";
import { aRemoteScene, type RemoteClaimInTests } from "../../testing/workers/remote-worker";

const scene = aRemoteScene();
const undone = ({ generation, attempt }: { generation: number; attempt: number }) => ({
  generation,
  attempt,
  outcome: "completed",
});
const failed = (undo: { generation: number; attempt: number }, more = {}) => ({
  ...undone(undo),
  outcome: "failed",
  error: { name: "Error", message: "closed" },
  ...more,
});

async function did(claim: RemoteClaimInTests, step: string, compensate?: "automatic" | "manual") {
  await claim.ask(step);
  await claim.record(step, {
    attempt: 1,
    outcome: "completed",
    output: { of: step },
    ...(compensate && { compensate }),
  });
}

const stepOf = async (runId: string, name: string) =>
  (await scene.history(runId)).steps.find((step) => step.name === name);

/** A run that has failed after these steps, and whose workflow compensates. */
async function compensating(retry = {}) {
  const made = await scene.claim({ workflow: { onFailure: "compensate", retry } });
  await did(made.claim, "order", "automatic");
  await did(made.claim, "look");
  await did(made.claim, "charge", "automatic");
  expect(await made.claim.fail()).toEqual({ status: "compensating" });
  return made;
}

describe("a compensation over HTTP", () => {
  it("is requested by the step's name, in reverse order of completion, under a separate key", async () => {
    const { worker, runId } = await compensating();
    const next = await worker.claim();
    expect(next.taken.status).toBe("compensating");
    await expect(next.ask("order")).rejects.toMatchObject({ code: "not_allowed" });
    await expect(next.complete()).rejects.toMatchObject({ code: "not_allowed" });
    const charge = await next.nextCompensation();
    expect(charge).toEqual({
      next: "undo",
      step: "charge",
      generation: 1,
      attempt: 1,
      idempotencyKey: `${runId}:charge:1:undo`,
      output: { of: "charge" },
    });
    await next.recordCompensation("charge", undone(charge));
    expect(await next.recordCompensation("charge", undone(charge))).toEqual({ status: "completed" });
    const order = await next.nextCompensation();
    expect(order.step).toBe("order");
    await next.recordCompensation("order", undone(order));
    expect(await next.nextCompensation()).toEqual({ next: "none", status: "compensated" });
    expect(await next.nextCompensation()).toEqual({ next: "none", status: "compensated" });
    expect((await scene.step(runId, "charge")).compensation).toMatchObject({ status: "completed", by: "worker" });
  });

  it("is retried by the policy, and waits for a person when retries are exhausted", async () => {
    const { worker, runId } = await compensating({ maxAttempts: 2, initialDelayMs: 10 });
    const next = await worker.claim();
    const first = await next.nextCompensation();
    expect(await next.recordCompensation("charge", failed(first))).toEqual({ status: "owed" });
    let claim = next;
    const second = await until("its second attempt", async () => {
      const undo = await claim.nextCompensation();
      if (undo.next === "undo") return undo;
      claim = await worker.claim();
      return undefined;
    });
    expect(second).toMatchObject({ step: "charge", attempt: 2, idempotencyKey: first.idempotencyKey });
    await expect(claim.recordCompensation("charge", undone(first))).rejects.toMatchObject({ code: "not_allowed" });
    expect(await claim.recordCompensation("charge", failed(second))).toEqual({ status: "failed" });
    expect(await claim.nextCompensation()).toEqual({ next: "none", status: "compensating" });
    expect((await scene.history(runId)).run).toMatchObject({ attention: "compensation_owed", waiting_step: "charge" });
    await scene.act(runId, "compensations/charge/resolution", {
      reason: undefined,
      outcome: "waived",
      note: "too late",
    });
    const last = await worker.claim();
    const order = await last.nextCompensation();
    await last.recordCompensation("order", undone(order));
    expect(await last.nextCompensation()).toMatchObject({ next: "none", status: "compensated" });
  });

  it("whose worker is lost under it is begun again by the next one, and the lost one is refused", async () => {
    const { worker, peer } = await compensating();
    const silent = await worker.claim();
    const begun = await silent.nextCompensation();
    const other = await peer();
    await scene.takeOver(worker, other);
    const next = await other.claim();
    const again = await next.nextCompensation();
    expect(again).toMatchObject({ step: "charge", attempt: 2, idempotencyKey: begun.idempotencyKey });
    await expect(silent.recordCompensation("charge", undone(begun))).rejects.toMatchObject({ code: "claim_lost" });
    await expect(silent.nextCompensation()).rejects.toMatchObject({ code: "claim_lost" });
    await next.recordCompensation("charge", undone(again));
    expect(await next.handBack()).toEqual({ status: "compensating" });
    const last = await other.claim();
    const order = await last.nextCompensation();
    await last.recordCompensation("order", undone(order));
    expect(await last.nextCompensation()).toMatchObject({ status: "compensated" });
  });

  it("is for runs that are compensated alone", async () => {
    const { claim } = await scene.claim();
    await expect(claim.nextCompensation()).rejects.toMatchObject({ code: "not_allowed" });
    const undo = { generation: 1, attempt: 1 };
    await expect(claim.recordCompensation("x", undone(undo))).rejects.toMatchObject({ code: "not_allowed" });
  });

  it("that the question declared stays with the step however its attempts end, until an outcome declares another", async () => {
    const { claim, worker, runId } = await scene.claim();
    const manual = { compensate: "manual", instructions: "Call them." };
    const declared = async (step: string) => {
      const { compensation_mode: compensate, instructions } = (await stepOf(runId, step)) ?? {};
      return { compensate, instructions };
    };
    await claim.ask("retried", manual);
    expect(await declared("retried")).toEqual(manual);
    await claim.failed("retried", 1, { retryAfterMs: 0 });
    expect(await declared("retried")).toEqual(manual);
    await claim.ask("retried", manual);
    await claim.completed("retried", 2);
    expect(await declared("retried")).toEqual(manual);
    await claim.ask("other", manual);
    await claim.record("other", { attempt: 1, outcome: "completed", output: 1, compensate: "automatic" });
    expect(await declared("other")).toEqual({ compensate: "automatic", instructions: null });
    await claim.ask("failed", { compensate: "automatic" });
    await claim.failed("failed", 1, { retryable: false });
    expect(await declared("failed")).toEqual({ compensate: "automatic", instructions: null });
    await claim.ask("interrupted", manual);
    await claim.handBack();
    expect(await declared("interrupted")).toEqual(manual);
    const next = await worker.claim();
    await next.ask("interrupted");
    expect(await declared("interrupted"), "none any more").toEqual({ compensate: null, instructions: null });
    await next.ask("left", { effect: "once", ...manual });
    await next.handBack();
    expect(await stepOf(runId, "left")).toMatchObject({ status: "unknown" });
    expect(await declared("left")).toEqual(manual);
  });

  it("has instructions only for a person, also in the question", async () => {
    const { claim } = await scene.claim();
    for (const compensate of ["automatic", undefined])
      await expect(claim.ask("x", { compensate, instructions: "Call them." })).rejects.toMatchObject({
        code: "invalid_input",
      });
  });
});
