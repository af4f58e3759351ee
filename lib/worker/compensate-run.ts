import { decodeValue } from "../engine/codec";
import { HandrailError } from "../engine/errors";
import { compensationIdempotencyKey } from "../engine/idempotency-key";
import { decideRetry } from "../engine/retry-policy";
import type { UndoBody, Workflow } from "../engine/workflow";
import type { Db } from "../store/db";
import { beginUndo, keepUndo, openUndos, releaseUndos, type Undo, type UndoOutcome } from "../store/undo";
import { ClaimLost } from "./claim-lost";
import { collectUndos } from "./collect-undos";
import { errorText } from "./error-text";
import { faultPoint } from "./fault-points";
import type { Pass } from "./pass";
import type { StepPlan } from "./step-plan";
import type { TransactionSources } from "./transactions";

/**
 * Runs the undos that a worker owes, in reverse order of completion, each to a recorded end. One that fails for good, or
 * that a person has to do, ends the claim: what completed before it waits behind it.
 */
export async function compensateRun(
  pass: Pass,
  workflow: Workflow,
  db: Db,
  transactions: TransactionSources,
): Promise<void> {
  const { id, epoch } = pass.run;
  const plans = await collectUndos(pass.run, workflow, await pass.retrying(() => openUndos(db, id)));
  while (!pass.isStopped) {
    await faultPoint("compensation:before-start-mark");
    const undo = await pass.retrying(() => beginUndo(db, id, epoch, pass.workerId));
    if (undo === "none" || undo === "lost") return;
    const kept = await oneUndo(pass, plans.get(undo.step), undo, db, transactions);
    await faultPoint("compensation:after-record", undo.step);
    if (!kept) return;
  }
  await pass.retrying(() => releaseUndos(db, id, epoch));
}

/** False: the claim is lost. */
async function oneUndo(
  pass: Pass,
  plan: StepPlan | undefined,
  undo: Undo,
  db: Db,
  transactions: TransactionSources,
): Promise<boolean> {
  const { id, epoch } = pass.run;
  const keep = (outcome: UndoOutcome) => pass.retrying(() => keepUndo(db, id, epoch, undo, outcome));
  const compensate = plan?.compensate;
  if (!plan || typeof compensate !== "function")
    return keep({ to: "failed", error: errorText(missing(pass.run.workflow, undo.step)) });
  const body = undoBody(pass, plan, undo);
  const output = decodeValue(undo.output);
  try {
    await faultPoint("compensation:before-body", undo.step);
    if (plan.kind === "transaction")
      return await undoInTransaction(pass, undo, transactions, (tx) => compensate(output, { ...body, tx }));
    await compensate(output, body as UndoBody);
    await faultPoint("compensation:after-body", undo.step);
  } catch (error) {
    if (error instanceof ClaimLost) return false;
    return keep(afterFailure(plan, undo, error));
  }
  return keep({ to: "completed" });
}

function undoBody(pass: Pass, plan: StepPlan, undo: Undo): Omit<UndoBody, "tx"> {
  const idempotencyKey = compensationIdempotencyKey(pass.run.id, undo.step, undo.keyGeneration);
  const timeout = plan.timeoutMs === undefined ? [] : [AbortSignal.timeout(plan.timeoutMs)];
  return { idempotencyKey, signal: AbortSignal.any([pass.signal, ...timeout]), attempt: undo.attempt };
}

/** The undo's writes to the app's database commit together with its record, once. */
function undoInTransaction(
  pass: Pass,
  undo: Undo,
  transactions: TransactionSources,
  body: (tx: UndoBody["tx"]) => unknown,
): Promise<boolean> {
  const { id, epoch } = pass.run;
  return transactions.app(async (client, tx) => {
    await body(client);
    await faultPoint("compensation:after-body", undo.step);
    if (!(await keepUndo(tx, id, epoch, undo, { to: "completed" }))) throw new ClaimLost(id);
    return true;
  });
}

function afterFailure(plan: StepPlan, undo: Undo, error: unknown): UndoOutcome {
  const decision = decideRetry(plan.retry, undo.failures + 1, error, Math.random());
  return decision.retry
    ? { to: "owed", error: errorText(error), delayMs: decision.delayMs }
    : { to: "failed", error: errorText(error) };
}

const missing = (workflow: string, step: string) =>
  new HandrailError(
    "compensation_missing",
    `The code of "${workflow}" that runs here did not come to step "${step}", or declares no compensation for it any more. Undo it by hand, or deploy code that can.`,
    { step },
  );
