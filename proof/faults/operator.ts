import type { Pool } from "pg";
import { stepIdempotencyKey } from "../../lib/engine/steps/idempotency-key";
import type { Desk } from "../../lib/operator/desk";
import { markCompensated, settleStep } from "../../lib/testing/actions";
import { type History, historyOf } from "../../lib/testing/database/history";
import type { Rig } from "./rig";
import { lookAtWorld, messageIdOf } from "./world";

/**
 * Resolves every run that waits for an operator as a careful one would: checks the provider, then reports what is true.
 */
export async function attend(rig: Rig, pool: Pool, desk: Desk, runIds: readonly string[]): Promise<void> {
  for (const runId of runIds) {
    const history = await historyOf(pool, runId);
    const { status, waiting_kind: kind, waiting_step: step } = history.run;
    if (kind !== "operator") continue;
    if (status === "compensating" && step) await undoByHand(desk, runId, step);
    else await settleDoubts(rig, desk, history);
  }
}

function undoByHand(desk: Desk, runId: string, step: string) {
  return markCompensated(desk, { runId, step, outcome: "compensated", note: "Done by hand." });
}

async function settleDoubts(rig: Rig, desk: Desk, { run, steps }: History): Promise<void> {
  for (const step of steps.filter(({ status, superseded_by }) => status === "unknown" && superseded_by === null)) {
    const key = stepIdempotencyKey(run.id, step.name, step.key_generation);
    const found = await findEffect(rig, key);
    await settleStep(desk, {
      runId: run.id,
      step: step.name,
      outcome: found ? "happened" : "did_not_happen",
      output: found,
      reason: "Looked at the receiver.",
    });
  }
}

async function findEffect(rig: Rig, key: string): Promise<object | undefined> {
  const { messages, charges } = await lookAtWorld(rig);
  const messageId = messageIdOf(key);
  if (messages.some((message) => message.messageId === messageId)) return { messageId };
  const charge = charges.find(({ idempotencyKey }) => idempotencyKey === key);
  return charge && { id: charge.id, orderId: charge.orderId };
}
