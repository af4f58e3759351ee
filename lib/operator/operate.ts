import { HandrailError, isHandrailError } from "../engine/errors";
import { mayOperate, OPERATION_RESUMED, OPERATION_WORKFLOW, type OperationAct } from "../engine/operation";
import type { Db } from "../store/db";
import { lockOperation, type OperationRow, setOperationRate, setOperationStatus } from "../store/operations";
import { sendEvent } from "../store/send-event";
import { type Attempt, audited } from "./audited";
import type { Desk } from "./desk";
import { type OperationView, readOperation, unknownOperation } from "./operation-view";

interface Operating {
  operationId: string;
  reason: string;
}

/** From its answer on, no item begins. */
export const pauseOperation = (desk: Desk, given: Operating) =>
  operate(desk, "pause_operation", given, (tx, { id }) =>
    setOperationStatus(tx, id, "paused", `Paused by ${desk.by.name}: ${given.reason}`),
  );

/** Also after it has paused itself: whoever resumes it has judged what was done so far. */
export const resumeOperation = (desk: Desk, given: Operating) =>
  operate(desk, "resume_operation", given, async (tx, operation) => {
    await setOperationStatus(tx, operation.id, "running");
    await wake(tx, operation);
  });

/** For good: what was done stays done, and the rest stays as it is. */
export const abortOperation = (desk: Desk, given: Operating) =>
  operate(desk, "abort_operation", given, async (tx, operation) => {
    await setOperationStatus(tx, operation.id, "aborted");
    // Its run may have come to another end; then there is nobody to tell.
    if (operation.status === "paused") await wake(tx, operation).catch(unlessEnded);
  });

/** From the next item on. */
export const changeOperationRate = (desk: Desk, given: Operating & { ratePerSecond: number }) =>
  operate(desk, "change_operation_rate", given, (tx, { id }) => setOperationRate(tx, id, given.ratePerSecond));

async function operate(
  desk: Desk,
  act: OperationAct,
  { operationId, reason, ...asked }: Operating,
  change: (tx: Db, operation: OperationRow) => Promise<void>,
): Promise<OperationView> {
  const attempt: Attempt = { act, runId: null, workflow: OPERATION_WORKFLOW, reason, asked };
  const { body } = await audited(desk, attempt, async (tx, tell) => {
    const operation = await lockOperation(tx, operationId);
    if (!operation) throw unknownOperation(operationId);
    Object.assign(attempt, { runId: operation.run_id, before: told(operation) });
    const openness = mayOperate(act, operation.status);
    if (!openness.open) throw new HandrailError("not_allowed", openness.because);
    await change(tx, operation);
    const body = await readOperation(tx, operationId);
    await tell({ status: body.status, ratePerSecond: body.ratePerSecond, done: body.counts.done });
    return { status: 202, body };
  });
  desk.notifier.change(body.runId === null ? [] : [body.runId]);
  desk.notifier.work();
  return body;
}

const told = ({ status, rate_per_second: ratePerSecond, done }: OperationRow) => ({ status, ratePerSecond, done });

/** The event waits for whoever waits for it: a resume that comes before its pause was noticed is not lost. */
async function wake(tx: Db, { run_id: runId }: OperationRow): Promise<void> {
  if (runId === null) return;
  await sendEvent(tx, { id: null, name: OPERATION_RESUMED, runId, key: null, payload: "null", sentBy: null });
}

function unlessEnded(error: unknown): void {
  if (!isHandrailError(error)) throw error;
}
