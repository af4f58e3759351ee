import { expect, it } from "vitest";
import { z } from "zod";
import { NonRetryableError } from "../../engine/steps/retry-policy";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { codeHere } from "../../engine/workflows/workflow-code";
import { aDesk } from "../../testing/desk";
import { anEngine } from "../../testing/workers/engine";
import { executePlan } from "../operations/execute-plan";
import { makePlan } from "../operations/make-plan";

const engine = anEngine();
const reason = "the address was wrong";

/**
 * A run that completed `charge` and is rerun from `address`, which comes before it. `charged` are the keys of the
 * charges, `refunded` those whose charge was compensated.
 */
async function rerunBefore(name: string, params: { freshKeys: boolean }, again: "charges" | "fails before") {
  const charged: string[] = [];
  const refunded: string[] = [];
  let addresses = 0;
  const workflow = defineWorkflow({ name, input: z.object({}), onFailure: "compensate" }, async (ctx) => {
    await ctx.step(
      "address",
      () => {
        addresses++;
        if (addresses > 1 && again === "fails before") throw new NonRetryableError("no such address");
      },
      { effect: "pure" },
    );
    const charge = await ctx.step(
      "charge",
      ({ idempotencyKey }) => {
        charged.push(idempotencyKey);
        return idempotencyKey;
      },
      { compensate: (key) => void refunded.push(key) },
    );
    if (addresses > 1) throw new Error("out of stock");
    return charge;
  });
  const { run } = await engine.runToEnd(workflow);
  expect(run.status).toBe("completed");
  const plan = { act: "rerun", params: { fromStep: "address", ...params } } as const;
  const { id, hash, items, counts } = await makePlan(aDesk(engine.db), plan, { runIds: [run.id] });
  await executePlan(aDesk(engine.db), codeHere([workflow]), { planId: id, hash, reason });
  const ended = await engine.untilRun(run.id, (now) => now.run.generation === 2 && now.run.finished_at !== null);
  return { item: items[0], counts, status: ended.run.status, compensations: ended.compensations, charged, refunded };
}

it.each([true, false])(
  "the plan of a rerun names what it leaves without compensation (fresh keys: %s)",
  async (freshKeys) => {
    const { item, counts } = await rerunBefore(`superseded-plan-${freshKeys}`, { freshKeys }, "charges");
    expect(item).toMatchObject({
      again: { count: 2 },
      uncompensated: { count: 1, first: ["charge"] },
      owed: { count: 0 },
    });
    expect(counts).toMatchObject({ uncompensated: 1 });
  },
);

it("with fresh keys, only the new charge is refunded; with the same keys it is the same charge, refunded once", async () => {
  const fresh = await rerunBefore("superseded-fresh", { freshKeys: true }, "charges");
  expect(new Set(fresh.charged).size).toBe(2);
  expect(fresh).toMatchObject({ status: "compensated", refunded: fresh.charged.slice(1) });
  const same = await rerunBefore("superseded-same", { freshKeys: false }, "charges");
  expect(new Set(same.charged).size).toBe(1);
  expect(same).toMatchObject({ status: "compensated", refunded: same.charged.slice(1) });
});

it.each([true, false])("a charge that is not reached again is not refunded (fresh keys: %s)", async (freshKeys) => {
  const name = `superseded-unreached-${freshKeys}`;
  const { status, compensations, charged, refunded } = await rerunBefore(name, { freshKeys }, "fails before");
  expect({ status, compensations, refunded }).toEqual({ status: "failed", compensations: [], refunded: [] });
  expect(charged).toHaveLength(1);
});
