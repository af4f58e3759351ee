import { mayRerun } from "../../actions/rerun";
import { HandrailError, isHandrailError } from "../../engine/errors";
import {
  mayOperate,
  OPERATION_RESUMED,
  OPERATION_WORKFLOW,
  type OperationAct,
} from "../../engine/operations/operation";
import { hasEnded } from "../../engine/runs/run";
import type { Db } from "../../store/db";
import { sendEvent } from "../../store/events/send-event";
import {
  lockOperation,
  type OperationRow,
  setOperationRate,
  setOperationStatus,
} from "../../store/operations/operations";
import { selectOperation } from "../../store/reads/operations";
import { lockRun } from "../../store/runs/lock-run";
import { rerunFailed } from "../../store/runs/rerun";
import { factsOf } from "../actions/facts";
import { type Attempt, audited } from "../audit/audited";
import type { Desk } from "../desk";
import { type OperationView, readOperation, unknownOperation } from "./operation-view";

interface Operating {
  operationId: string;
  reason: string;
}

/** After its answer, no item begins. */
export const pauseOperation = (desk: Desk, given: Operating) =>
  operate(desk, "pause_operation", given, (tx, { id }) =>
    setOperationStatus(tx, id, "paused", { pausedBecause: `Paused by ${desk.by.name}: ${given.reason}` }),
  );

/**
 * Also after it has paused itself: resuming confirms what was done so far, unless it only reverts a pause (`undo`). Also
 * when its run has failed or was cancelled: that run is rerun, and continues after the last item.
 */
export const resumeOperation = (desk: Desk, given: Operating & { undo?: true | undefined }) =>
  operate(desk, "resume_operation", given, async (tx, operation) => {
    await setOperationStatus(tx, operation.id, "running", { confirmed: given.undo !== true });
    if (operation.status === "paused") await wake(tx, operation);
  });

/** Permanent: finished items stay done, and the rest is left as it is. */
export const abortOperation = (desk: Desk, given: Operating) =>
  operate(desk, "abort_operation", given, async (tx, operation) => {
    await setOperationStatus(tx, operation.id, "aborted");
    // Its run may have ended before; then no run is left to notify.
    if (operation.status === "paused") await wake(tx, operation).catch(unlessEnded);
  });

/** Takes effect with the next item. */
export const changeOperationRate = (desk: Desk, given: Operating & { ratePerSecond: number }) =>
  operate(desk, "change_operation_rate", given, (tx, { id }) => setOperationRate(tx, id, given.ratePerSecond));

async function operate(
  desk: Desk,
  act: OperationAct,
  { operationId, reason, ...details }: Operating,
  change: (tx: Db, operation: OperationRow) => Promise<void>,
): Promise<OperationView> {
  const attempt: Attempt = { act, runId: null, workflow: OPERATION_WORKFLOW, reason, details };
  const { body } = await audited(desk, attempt, async (tx, record) => {
    await lockOperation(tx, operationId);
    // Read under the lock: a statement that waited for the lock would return the run as it was before.
    const operation = await selectOperation(tx, operationId);
    if (!operation) throw unknownOperation(operationId);
    Object.assign(attempt, { runId: operation.run_id, before: snapshot(operation) });
    const openness = mayOperate(act, operation.status, operation.run_status);
    if (!openness.open) throw new HandrailError("not_allowed", openness.because);
    const reopened = act === "resume_operation" ? await reopenRun(tx, operation) : undefined;
    await change(tx, operation);
    if (reopened) Object.assign(attempt, { before: { ...attempt.before, generation: reopened.from } });
    const body = await readOperation(tx, operationId);
    const { status, ratePerSecond, counts } = body;
    await record({ status, ratePerSecond, done: counts.done, ...(reopened && { generation: reopened.to }) });
    return { status: 202, body };
  });
  desk.notifier.changeAtOnce(body.runId === null ? [] : [body.runId]);
  desk.notifier.work();
  return body;
}

const snapshot = ({ status, rate_per_second: ratePerSecond, done }: OperationRow) => ({ status, ratePerSecond, done });

/** Generations of the operation's own run; resuming may include a rerun of it. */
interface Reopened {
  from: number;
  to: number;
}

/** If it ended early. */
async function reopenRun(tx: Db, { run_id: runId }: OperationRow): Promise<Reopened | undefined> {
  const locked = runId === null ? undefined : await lockRun(tx, runId);
  if (!locked || !hasEnded(locked.run.status)) return undefined;
  const { run, steps } = locked;
  const openness = mayRerun(factsOf(run, steps));
  if (!openness.open) throw new HandrailError("not_allowed", openness.because);
  await rerunFailed(tx, run.id, false);
  return { from: run.generation, to: run.generation + 1 };
}

/** Events are kept until they are taken: a resume that comes before its pause was noticed is not lost. */
async function wake(tx: Db, { run_id: runId }: OperationRow): Promise<void> {
  if (runId === null) return;
  await sendEvent(tx, { id: null, name: OPERATION_RESUMED, runId, key: null, payload: "null", sentBy: null });
}

function unlessEnded(error: unknown): void {
  if (!isHandrailError(error)) throw error;
}
