import type { ErrorCode } from "../../engine/errors";
import type { ItemOutcome } from "../../engine/operations/operation";
import type { Db } from "../../store/db";
import { insertOperation, nextItem, type OperationToStart, recordItem } from "../../store/operations/operations";
import type { ActionDesk } from "../actions/command";
import { recordRefused } from "../audit/audited";
import { type CarriedOut, carryOutItem, type ItemFailure } from "./carry-out-item";

/** How the audit log describes an action that had no effect. */
const REFUSED_AS: Record<Exclude<ItemOutcome, "done">, ErrorCode> = {
  already: "changed",
  changed: "changed",
  not_eligible: "not_allowed",
  failed: "internal",
};

/**
 * Executes a plan that touches one run, in the transaction that holds the plan: no worker is needed. The audit log gets
 * the row of the action itself, also if it had no effect. Returns the runs that were changed.
 * @param failure that of an earlier try, which was rolled back: it is recorded, and not tried again
 * @throws ItemFailure
 */
export async function carryOutAtOnce(
  tx: Db,
  desk: ActionDesk,
  operation: Omit<OperationToStart, "runId">,
  failure?: ItemFailure,
): Promise<string[]> {
  const row = await insertOperation(tx, { ...operation, runId: null });
  const at = await nextItem(tx, row);
  if (!at) throw new Error(`Plan ${operation.planId} touches one run and has no item of it.`);
  if (failure) await recordItem(tx, row.id, at, failedAs(failure));
  const { judgement, changed = [] }: CarriedOut = failure
    ? { judgement: failedAs(failure) }
    : await carryOutItem(tx, desk, row, at);
  if (judgement.outcome !== "done") {
    const attempt = { act: row.act, runId: at.run_id, workflow: at.workflow, reason: row.reason };
    const code = failure?.code ?? REFUSED_AS[judgement.outcome];
    await recordRefused(tx, desk, attempt, { code, message: judgement.because });
  }
  return changed;
}

const failedAs = ({ message }: ItemFailure) => ({ outcome: "failed", because: message }) as const;
