import { encodeValue } from "../engine/codec";
import { HandrailError } from "../engine/errors";
import { DEFAULT_CANARY, DEFAULT_RATE_PER_SECOND, OPERATION_WORKFLOW } from "../engine/operation";
import { insertOperation, lockPlan, operationOfPlan } from "../store/operations";
import { newPlanId } from "../store/run-id";
import { insertRunOnce } from "../store/start-run";
import { type Attempt, audited } from "./audited";
import type { Desk } from "./desk";
import { type OperationView, readOperation } from "./operation-view";
import { unknownPlan } from "./plan-view";

export interface Execution {
  planId: string;
  /** Of the plan as the person saw it. */
  hash: string;
  reason: string;
  ratePerSecond?: number | undefined;
  canary?: number | undefined;
}

/**
 * Carries a plan out, once: what becomes of each item is decided under its run's lock, by a run of our own.
 * @throws HandrailError `unknown_plan`; `plan_changed` for another hash, or one that was carried out; `not_allowed` for one
 * that would touch nothing
 */
export async function executePlan(desk: Desk, given: Execution): Promise<OperationView> {
  const { planId, hash, reason, ratePerSecond = DEFAULT_RATE_PER_SECOND, canary = DEFAULT_CANARY } = given;
  const asked = { ratePerSecond, canary };
  const attempt: Attempt = { act: "execute_plan", runId: null, workflow: OPERATION_WORKFLOW, reason, asked };
  const { body } = await audited({ ...desk, planId }, attempt, async (tx, tell) => {
    const plan = await lockPlan(tx, planId);
    if (!plan || plan.expired || plan.hash === null || plan.totals === null) throw unknownPlan(planId);
    attempt.before = { act: plan.act, hash: plan.hash };
    if (plan.executed_at !== null)
      throw new HandrailError("plan_changed", "This plan was carried out already. Make a new one to go on from here.", {
        operationId: await operationOfPlan(tx, planId),
      });
    if (plan.hash !== hash)
      throw new HandrailError("plan_changed", "This is not the plan that you saw. Look at it again, then decide.", {
        hash: plan.hash,
      });
    const total = plan.totals.included;
    if (total === 0) throw new HandrailError("not_allowed", "The plan leaves every run out: there is nothing to do.");
    const id = newPlanId();
    const runId = await startOperationRun({ db: tx, operationId: id, act: plan.act });
    await insertOperation(tx, { id, planId, runId, by: desk.by, reason, ratePerSecond, canary, total });
    attempt.runId = runId;
    const operation = await readOperation(tx, id);
    await tell({ operationId: id, total });
    return { status: 202, body: operation };
  });
  desk.notifier.work();
  return body;
}

async function startOperationRun({ db, operationId, act }: { db: Desk["db"]; operationId: string; act: string }) {
  const { id } = await insertRunOnce(db, {
    workflow: OPERATION_WORKFLOW,
    version: 1,
    input: encodeValue({ operationId }),
    tags: { operation: operationId, act },
    idempotencyKey: operationId,
    runAt: null,
    delayMs: null,
    priority: 0,
    queueKey: null,
    debounce: null,
  });
  return id;
}
