import { expect, it, onTestFinished } from "vitest";
import { readRunEffects } from "../../lib/operator/effects/read-effects";
import { rerun, settleStep } from "../../lib/testing/actions";
import { aDesk } from "../../lib/testing/desk";
import { ChildWorker, type Fault } from "../../lib/testing/processes/crash";
import { theOutsideWorld } from "../../lib/testing/processes/outside-world";
import { anEngine } from "../../lib/testing/workers/engine";
import { startSandbox } from "../sandbox/server";
import { orderBatch } from "./order-batch/order-batch";

const engine = anEngine();
const world = theOutsideWorld(startSandbox);

const ORDERS = ["kill-1", "kill-2", "kill-3", "kill-4", "kill-5", "kill-6"];

/** A worker that dies there, and is taken for dead. */
async function aWorkerDiesAt(fault: Fault): Promise<void> {
  const victim = ChildWorker.spawn(engine.database, { leaseMs: 20_000, env: world.env(), fault });
  onTestFinished(() => victim.kill());
  expect(await victim.untilEnded()).toBe("SIGKILL");
  await engine.endLeases();
}

/**
 * On a busy machine, a body takes long enough for its start to be marked: then its outcome is unknown until an operator
 * has checked the gateway. Returns the steps that were resolved so.
 */
async function untilFailed(runId: string): Promise<string[]> {
  for (const vouchedFor: string[] = []; ; ) {
    const { run } = await engine.untilResting(runId);
    if (run.attention !== "outcome_unknown") {
      expect(run.status).toBe("failed");
      return vouchedFor;
    }
    const step = run.waiting_step as string;
    const [charge] = await world.charges(step.replace("charge:", ""));
    expect(charge, step).toBeDefined();
    const seen = { output: charge, reference: charge?.id, reason: "the gateway shows it" };
    await settleStep(aDesk(engine.db), { runId, step, outcome: "happened", ...seen });
    vouchedFor.push(step);
  }
}

/*
 * Bodies of some milliseconds, whose start is not marked: the killed ones leave only a lost claim. The gateway counts
 * its requests; the ledger must never claim to have seen fewer requests than that.
 */
it("a batch whose workers are killed after their charges, and which is rerun, charged every order once, and the ledger says so", async () => {
  const runId = await engine.start(orderBatch, { orderIds: ORDERS });
  await aWorkerDiesAt({ point: "step:after-body", detail: "charge:kill-2" });
  await aWorkerDiesAt({ point: "flush:before", passage: 3 });
  await world.fault("payments", { mode: "down" });
  const first = await engine.worker([orderBatch]);
  const vouchedFor = await untilFailed(runId);
  await first.stop();

  await world.fault("payments", { mode: "none" });
  await rerun(aDesk(engine.db), { runId, reason: "the gateway is back" });
  await aWorkerDiesAt({ point: "step:after-body", detail: "charge:kill-5" });
  await engine.worker([orderBatch]);
  expect((await engine.untilEnded(runId)).run).toMatchObject({ status: "completed", output: { charged: 6 } });

  const charges = await world.charges("kill-");
  expect(charges.map(({ orderId }) => orderId).sort()).toEqual(ORDERS);
  const { effects, tally } = await readRunEffects(engine.db, runId, {});
  expect(effects.map(({ step, reference }) => [step, reference])).toEqual(
    ORDERS.map((orderId) => [`charge:${orderId}`, charges.find((charge) => charge.orderId === orderId)?.id]),
  );
  for (const { step, verdict, idempotencyKey, generations } of effects) {
    const charge = charges.find(({ orderId }) => step === `charge:${orderId}`);
    expect(idempotencyKey).toBe(charge?.idempotencyKey);
    expect(new Set(generations.map((lane) => lane.idempotencyKey))).toEqual(new Set([idempotencyKey]));
    const asked = charge?.requests ?? 0;
    const expected = vouchedFor.includes(step) ? ["vouched"] : asked > 1 ? ["same_key"] : ["once", "same_key"];
    expect(expected, `${step} was asked for ${asked} times`).toContain(verdict);
  }
  expect(effects.filter(({ verdict }) => verdict === "once").length).toBeGreaterThan(0);
  expect(tally).toMatchObject({ verdict: "same_key", total: 6 });
}, 120_000);
