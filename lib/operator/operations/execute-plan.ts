import { HandrailError } from "../../engine/errors";
import { OPERATION_WORKFLOW } from "../../engine/operations/operation";
import { DEFAULT_CANARY, DEFAULT_RATE_PER_SECOND } from "../../engine/operations/operation-pace";
import { encodeValue } from "../../engine/values/codec";
import type { WorkflowCode } from "../../engine/workflows/workflow-code";
import type { Db } from "../../store/db";
import { insertOperation, lockPlan, type OperationToStart, operationOfPlan } from "../../store/operations/operations";
import type { PlanRow } from "../../store/operations/plans";
import { newPlanId } from "../../store/run-id";
import { insertRunOnce } from "../../store/runs/start-run";
import type { ActionDesk } from "../actions/command";
import type { Answer } from "../answered-once";
import { type Attempt, audited, type WriteRow } from "../audit/audited";
import type { Desk } from "../desk";
import { carryOutAtOnce } from "./carry-out-at-once";
import { ItemFailure } from "./carry-out-item";
import { type OperationItemView, type OperationView, readOperation, readOperationItems } from "./operation-view";
import { spendApproval } from "./plan-approval";
import { unknownPlan } from "./plan-view";

export interface Execution {
  planId: string;
  /** The hash of the plan as the operator saw it. */
  hash: string;
  reason: string;
  ratePerSecond?: number | undefined;
  canary?: number | undefined;
}

/** `item`: the outcome of the one run of a plan; null where a worker carries the items out. */
type ExecutionView = OperationView & { item: OperationItemView | null };

/**
 * Executes a plan, once. A plan for a single run is executed here, in one transaction; any other by an internal run.
 * The outcome of each item is decided under its run's lock.
 * @throws HandrailError `unknown_plan`; `plan_changed` for another hash, or a plan already executed; `not_allowed` for
 * a plan without an effect; `approval_required` for a plan that needs a second approver who has not approved it
 */
export async function executePlan(desk: Desk, code: WorkflowCode, given: Execution): Promise<Answer<ExecutionView>> {
  const known = { ...desk, code };
  try {
    return await execute(known, given);
  } catch (error) {
    if (error instanceof ItemFailure) return execute(known, given, error);
    throw error;
  }
}

/** `failure`: the action on the one run failed before; only that is recorded now. */
async function execute(desk: ActionDesk, given: Execution, failure?: ItemFailure): Promise<Answer<ExecutionView>> {
  const { planId, reason, ratePerSecond = DEFAULT_RATE_PER_SECOND, canary = DEFAULT_CANARY } = given;
  const ofPlan = { ...desk, planId };
  const details = { ratePerSecond, canary };
  const attempt: Attempt = { act: "execute_plan", runId: null, workflow: OPERATION_WORKFLOW, reason, details };
  let changed: string[] = [];
  const answer = await audited(ofPlan, attempt, async (tx, record) => {
    const plan = await lockPlanToExecute(tx, given, attempt);
    await spendApproval(tx, plan);
    const { act, totals } = plan;
    const total = totals.included;
    const operation = { id: newPlanId(), planId, by: desk.by, reason, ratePerSecond, canary, total };
    if (total > 1) return beginOperation(tx, { ...operation, act }, attempt, record);
    changed = await carryOutAtOnce(tx, ofPlan, { ...operation, canary: 0 }, failure);
    const { items } = await readOperationItems(tx, operation.id, { limit: 1 });
    return { status: 200, body: { ...(await readOperation(tx, operation.id)), item: items[0] ?? null } };
  });
  // Also for a repeated request: the first notification may have been lost with its process.
  const { item, runId } = answer.body;
  desk.notifier.changeAtOnce([...new Set([...changed, ...(item ? [item.runId] : []), ...(runId ? [runId] : [])])]);
  desk.notifier.work();
  return answer;
}

type WholePlan = PlanRow & { hash: string; totals: NonNullable<PlanRow["totals"]> };

async function lockPlanToExecute(tx: Db, { planId, hash }: Execution, attempt: Attempt): Promise<WholePlan> {
  const plan = await lockPlan(tx, planId);
  if (!plan || plan.expired || plan.hash === null || plan.totals === null) throw unknownPlan(planId);
  attempt.before = { act: plan.act, hash: plan.hash };
  if (plan.executed_at !== null)
    throw new HandrailError("plan_changed", "This plan was already executed. Make a new one.", {
      operationId: await operationOfPlan(tx, planId),
    });
  if (plan.hash !== hash)
    throw new HandrailError("plan_changed", "This is not the plan that you saw. Look at it again, then decide.", {
      hash: plan.hash,
    });
  const { included, leftOut } = plan.totals;
  const [why] = leftOut;
  if (included === 0)
    throw new HandrailError(
      "not_allowed",
      why && leftOut.length === 1 ? why.name : "The plan leaves every run out: there is nothing to do.",
    );
  return plan as WholePlan;
}

async function beginOperation(
  tx: Db,
  { act, ...operation }: Omit<OperationToStart, "runId"> & { act: string },
  attempt: Attempt,
  record: WriteRow,
): Promise<Answer<ExecutionView>> {
  const { id, total } = operation;
  const runId = await startOperationRun({ db: tx, operationId: id, act });
  await insertOperation(tx, { ...operation, runId });
  attempt.runId = runId;
  const body = { ...(await readOperation(tx, id)), item: null };
  await record({ operationId: id, total });
  return { status: 202, body };
}

async function startOperationRun({ db, operationId, act }: { db: Desk["db"]; operationId: string; act: string }) {
  const { id } = await insertRunOnce(db, {
    workflow: OPERATION_WORKFLOW,
    version: 1,
    input: encodeValue({ operationId }),
    tags: { operation: operationId, act },
    idempotencyKey: operationId,
    runTitle: null,
    runAt: null,
    delayMs: null,
    priority: 0,
    queueKey: null,
    debounce: null,
  });
  return id;
}
