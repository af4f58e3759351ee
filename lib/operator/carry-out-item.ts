import { isHandrailError } from "../engine/errors";
import { DEFAULT_RATE_PER_SECOND, judgeCanary, judgeItem, judgeLatest, type Verdict } from "../engine/operation";
import type { PlannedAct } from "../engine/planned-act";
import { type Db, isRefusal } from "../store/db";
import { lockRun } from "../store/lock-run";
import {
  lockOperation,
  nextItem,
  type OperationRow,
  outcomesOfLatest,
  passCanary,
  recordItem,
  setOperationStatus,
} from "../store/operations";
import type { PlanItemRow } from "../store/plans";
import { cancelCommand } from "./cancel";
import { type Command, carryOutIn, changedBy } from "./command";
import type { Desk } from "./desk";
import { unknownOperation } from "./operation-view";
import { plannedItem } from "./plan-view";
import { Planner } from "./planner";
import { rerunCommand } from "./rerun";
import { pauseCommand, resumeCommand } from "./run-control";

/** What the operation's own process acts through; who acts is the person who started it. */
export type OperationDesk = Pick<Desk, "db" | "notifier" | "auditKeys">;

/** What is to be done after one look at the operation: `wait` because its first items are still being judged. */
export type Beat = { next: "item" | "wait"; ratePerSecond: number } | { next: "resumption" } | { next: "end" };

/** Items whose runs tell whether the rest should follow, and how often they are looked at. */
const LATEST = 200;
const JUDGED_EVERY = 10;

/**
 * Gives the next item its outcome. Act and outcome are one transaction, whose first lock is the operation: whoever dies, each
 * item is done once or not yet; and of two processes that hold the operation for theirs, the second one finds the item done.
 */
export async function carryOutNext(desk: OperationDesk, operationId: string): Promise<Beat> {
  const turn: Turn = {};
  try {
    const beat = await desk.db.transaction((tx) => take(tx, desk, operationId, turn));
    if (turn.command) {
      desk.notifier.change(changedBy(turn.command));
      desk.notifier.work();
    }
    return beat;
  } catch (error) {
    // What no repetition would better is the item's own; anything else is the database's trouble, and tried again.
    if (!turn.at || !(isHandrailError(error) || isRefusal(error))) throw error;
    const because = isHandrailError(error) ? error.message : "The database refused it.";
    await recordFailure(desk.db, operationId, turn.at, because);
    return { next: "item", ratePerSecond: DEFAULT_RATE_PER_SECOND };
  }
}

/** What a transaction was about, for whoever looks at how it ended. */
interface Turn {
  at?: PlanItemRow;
  /** Carried out, once the transaction has committed. */
  command?: Command;
}

async function take(tx: Db, desk: OperationDesk, operationId: string, turn: Turn): Promise<Beat> {
  const operation = await lockOperation(tx, operationId);
  if (!operation) throw unknownOperation(operationId);
  if (operation.status === "paused") return { next: "resumption" };
  if (operation.status !== "running") return { next: "end" };
  const at = await nextItem(tx, operation);
  if (!at) {
    await setOperationStatus(tx, operationId, "completed");
    return { next: "end" };
  }
  const verdict = await judge(tx, operation);
  if (verdict.go === "pause") {
    await setOperationStatus(tx, operationId, "paused", verdict.because);
    return { next: "resumption" };
  }
  const ratePerSecond = operation.rate_per_second;
  if (verdict.go === "wait") return { next: "wait", ratePerSecond };
  turn.at = at;
  const command = await carryOutItem(tx, desk, operation, at);
  if (command) turn.command = command;
  return { next: "item", ratePerSecond };
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

/** Locks the run, looks at it by the rule that made the plan, and acts only if that still says the same. Returns what was done. */
async function carryOutItem(
  tx: Db,
  desk: OperationDesk,
  operation: OperationRow,
  at: PlanItemRow,
): Promise<Command | undefined> {
  const act = { act: operation.act, params: operation.params } as PlannedAct;
  await lockRun(tx, at.run_id);
  const [now = null] = await new Planner(tx, act).look([at.run_id]);
  const judgement = judgeItem(act, plannedItem(at), now);
  await recordItem(tx, operation.id, at, judgement);
  if (judgement.outcome !== "done") return undefined;
  const command = commandOf(act, at.run_id, operation.reason);
  await carryOutIn(tx, { ...desk, by: operation.by, planId: operation.plan_id, request: null }, command);
  return command;
}

function commandOf({ act, params }: PlannedAct, runId: string, reason: string): Command {
  switch (act) {
    case "rerun":
      return rerunCommand({ runId, reason, ...params });
    case "cancel":
      return cancelCommand({ runId, reason });
    case "pause":
      return pauseCommand({ runId, reason, ...params });
    case "resume":
      return resumeCommand({ runId, reason });
  }
}

/** After the rollback of what failed; unless somebody else has given the item its outcome meanwhile. */
async function recordFailure(db: Db, operationId: string, at: PlanItemRow, because: string): Promise<void> {
  await db.transaction(async (tx) => {
    const operation = await lockOperation(tx, operationId);
    if (operation?.status !== "running" || operation.position >= at.position) return;
    await recordItem(tx, operationId, at, { outcome: "failed", because });
  });
}
