import type { PlannedAct } from "../../actions/actions";
import { aboutSteps, type Judgement, judgeItem } from "../../actions/plan";
import { type ErrorCode, isHandrailError } from "../../engine/errors";
import { type ItemPoint, judgeCanary, judgeLatest, type Verdict } from "../../engine/operations/operation";
import { DEFAULT_RATE_PER_SECOND } from "../../engine/operations/operation-pace";
import type { WorkflowCode } from "../../engine/workflows/workflow-code";
import { type Db, isRefusal } from "../../store/db";
import { noteOperationPaused } from "../../store/notices/notices";
import {
  lockOperation,
  nextItem,
  type OperationRow,
  outcomesOfLatest,
  passCanary,
  recordItem,
  setOperationStatus,
} from "../../store/operations/operations";
import type { PlanItemRow } from "../../store/operations/plans";
import { lockRun } from "../../store/runs/lock-run";
import { carryOutIn } from "../actions/command";
import type { Desk } from "../desk";
import { unknownOperation } from "./operation-view";
import { plannedItem } from "./plan-view";
import { Planner } from "./planner";

/** The desk of the operation's own process; the actor is the operator who started it. */
export type OperationDesk = Pick<Desk, "db" | "notifier" | "auditKeys"> & {
  code: WorkflowCode;
  /** Called at each of the points; `detail` is the id of the item's run. For tests, whose workers die there. */
  at?: (point: ItemPoint, detail: string) => void | Promise<void>;
};

/** What to do after reading the operation: `wait` because its first items are still being judged. */
export type Beat = { next: "item" | "wait"; ratePerSecond: number } | { next: "resumption" } | { next: "end" };

/** Items whose runs decide whether the rest follows, and how often they are checked. */
const LATEST = 200;
const JUDGED_EVERY = 10;

/**
 * Gives the next item its outcome. Action and outcome are one transaction, whose first lock is the operation: after a
 * crash, each item is done once or not yet; of two processes that both think they own the operation, the second one
 * finds the item done.
 */
export async function carryOutNext(desk: OperationDesk, operationId: string): Promise<Beat> {
  try {
    const { beat, item, changed, moved } = await desk.db.transaction((tx) => take(tx, desk, operationId));
    if (item !== undefined) await desk.at?.("operation:after-commit", item);
    if (changed) {
      desk.notifier.changeAtOnce(changed);
      desk.notifier.work();
    }
    if (moved) desk.notifier.change([moved]);
    return beat;
  } catch (error) {
    if (!(error instanceof ItemFailure)) throw error;
    return { next: "item", ratePerSecond: await recordFailure(desk.db, operationId, error) };
  }
}

/**
 * `changed`: the runs that were changed, once the transaction has committed. `moved`: the operation's own run, if the
 * operation's state has changed; clients of the operation follow that run.
 */
interface Turn {
  beat: Beat;
  /** The run of the item that has its outcome now. */
  item?: string;
  changed?: string[];
  moved?: string | null;
}

async function take(tx: Db, desk: OperationDesk, operationId: string): Promise<Turn> {
  const operation = await lockOperation(tx, operationId);
  if (!operation) throw unknownOperation(operationId);
  if (operation.status === "paused") return { beat: { next: "resumption" } };
  if (operation.status !== "running") return { beat: { next: "end" } };
  const at = await nextItem(tx, operation);
  if (!at) {
    await setOperationStatus(tx, operationId, "completed");
    return { beat: { next: "end" }, moved: operation.run_id };
  }
  const verdict = await judge(tx, operation);
  if (verdict.go === "pause") {
    await setOperationStatus(tx, operationId, "paused", { pausedBecause: verdict.because });
    await noteOperationPaused(tx, operationId);
    return { beat: { next: "resumption" }, moved: operation.run_id };
  }
  const ratePerSecond = operation.rate_per_second;
  if (verdict.go === "wait") return { beat: { next: "wait", ratePerSecond } };
  await desk.at?.("operation:before-act", at.run_id);
  const { changed } = await carryOutItem(tx, { ...desk, request: null }, operation, at);
  await desk.at?.("operation:before-commit", at.run_id);
  return {
    beat: { next: "item", ratePerSecond },
    item: at.run_id,
    moved: operation.run_id,
    ...(changed && { changed }),
  };
}

async function judge(tx: Db, operation: OperationRow): Promise<Verdict> {
  const { id, canary, canary_passed_at, done, failed } = operation;
  const carriedOut = done + failed;
  if (canary > 0 && canary_passed_at === null) {
    if (carriedOut < canary) return { go: "on" };
    const verdict = judgeCanary(await outcomesOfLatest(tx, id, canary));
    if (verdict.go === "on") await passCanary(tx, id);
    return verdict;
  }
  if (carriedOut === 0 || carriedOut % JUDGED_EVERY > 0) return { go: "on" };
  return judgeLatest(await outcomesOfLatest(tx, id, LATEST));
}

/** The action was open but failed, and a retry would not help. Its transaction has to be rolled back. */
export class ItemFailure extends Error {
  constructor(
    readonly at: PlanItemRow,
    because: string,
    readonly code: ErrorCode,
  ) {
    super(because);
  }
}

export interface CarriedOut {
  judgement: Judgement | { outcome: "failed"; because: string };
  /** The runs that were changed; none unless the judgement says `done`. */
  changed?: string[];
}

/**
 * Locks the run, checks it by the rule that made the plan, and acts only if the result is the same. The transaction
 * holds the operation; its starter is the actor.
 * @throws ItemFailure; any other error is a database failure, and the item may be retried
 */
export async function carryOutItem(
  tx: Db,
  desk: Omit<OperationDesk, "db"> & Pick<Desk, "request">,
  operation: OperationRow,
  at: PlanItemRow,
): Promise<CarriedOut> {
  const act = { act: operation.act, params: operation.params } as PlannedAct;
  await lockRun(tx, at.run_id);
  const [now = null] = await new Planner(tx, act).look([at.run_id]);
  const judgement = judgeItem(act, plannedItem(at), now);
  await recordItem(tx, operation.id, at, judgement);
  if (!now || judgement.outcome !== "done") return { judgement };
  try {
    const ofPlan = { ...desk, by: operation.by, planId: operation.plan_id };
    const candidate = aboutSteps(act, now.facts)[0]?.name;
    const requested = { ...act, runId: at.run_id, reason: operation.reason, candidate };
    return { judgement, changed: await carryOutIn(tx, ofPlan, requested) };
  } catch (error) {
    if (isHandrailError(error)) throw new ItemFailure(at, error.message, error.code);
    if (isRefusal(error)) throw new ItemFailure(at, "The database refused it.", "internal");
    throw error;
  }
}

/** After the rollback of the failure; unless another process has given the item its outcome meanwhile. */
/** Returns the rate of the operation: a failed item keeps to it as others do. */
function recordFailure(db: Db, operationId: string, { at, message }: ItemFailure): Promise<number> {
  return db.transaction(async (tx) => {
    const operation = await lockOperation(tx, operationId);
    if (operation?.status === "running" && operation.position < at.position)
      await recordItem(tx, operationId, at, { outcome: "failed", because: message });
    return operation?.rate_per_second ?? DEFAULT_RATE_PER_SECOND;
  });
}
