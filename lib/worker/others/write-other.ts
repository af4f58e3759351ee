import { systemCaller } from "../../engine/audit/audit";
import { HandrailError, unknownRun } from "../../engine/errors";
import { runIdOf } from "../../engine/events/event";
import { prepareEvent } from "../../engine/events/prepare-event";
import { inOneGo } from "../../engine/parts";
import { withoutMasked } from "../../engine/privacy/without-masked";
import { handedOn } from "../../engine/runs/headers";
import { isPlainText } from "../../engine/values/plain-text";
import type { CancelledOther } from "../../engine/workflows/other-runs";
import type { Workflow } from "../../engine/workflows/workflow";
import type { Db } from "../../store/db";
import { type SentEvent, sendEvent } from "../../store/events/send-event";
import { type LockedRun, lockRun } from "../../store/runs/lock-run";
import { holdsRun } from "../../store/workers/fence";
import { tracedSend } from "../../traces/tracing";
import type { Claim } from "../claims/claim";
import { ClaimLost } from "../claims/claim-lost";
import type { Pass } from "../passes/pass";
import type { Execute } from "../steps/run-step";
import { transactionBody } from "../transactions/run-transaction";
import type { TransactionSource, TransactionSources } from "../transactions/transactions";
import { canBeCancelled, cancelAs } from "./cancel-as";
import type { OtherWrite } from "./other-runs";
import { type Changed, nameOf, type Others } from "./others";

/*
 * Guarantee: what the step does to the other run commits together with its checkpoint, once, under the fence of this run's
 * claim: a transactional step whose body is Handrail's own. Races with: the other run's owner and operators (its lock). Two runs
 * that act on each other lock both rows in the order of ids; what deadlocks all the same, by a key or by children, is
 * rolled back and begun again.
 */
export function writeOther(
  pass: Pass,
  db: Db,
  { pg }: Pick<TransactionSources, "pg">,
  write: OtherWrite,
  others: Others & Pick<Workflow, "masked">,
): Execute {
  const source: TransactionSource<Db> = (body) => pg((_, tx, id) => body(tx, tx, id));
  return async (state, given) => {
    let changed: Changed | undefined;
    const execute = transactionBody(pass, db, source, async (tx) => {
      const { output, ...rest } =
        write.kind === "cancel"
          ? await cancelOther(tx, pass.claim, write, others)
          : await sendToOthers(tx, pass.claim, write, given.idempotencyKey, others);
      changed = rest;
      return output;
    });
    const outcome = await execute(state, given);
    if (outcome.next === "kept" && changed) others.onChanged(changed);
    return outcome;
  };
}

async function cancelOther(
  tx: Db,
  claim: Claim,
  { runId: given, reason = "The code of another run cancelled it." }: OtherWrite & { kind: "cancel" },
  { auditKeys, masked }: Others & Pick<Workflow, "masked">,
): Promise<Changed & { output: CancelledOther }> {
  const runId = otherRun(claim, given, "cancel itself: throw an error, or return, to end it");
  if (typeof reason !== "string" || reason.trim() === "" || reason.length > 2_000 || !isPlainText(reason))
    throw new HandrailError(
      "invalid_request",
      "The reason of a cancel is a text of 1 to 2,000 characters, none of them NUL or half of a surrogate pair.",
    );
  const before = await lockBoth(tx, claim, runId);
  if (!before) throw unknownRun(runId);
  if (!canBeCancelled(before)) return { output: { cancelled: false, status: before.run.status } };
  // The audit log is read by people who may not see what this run masks.
  const shown = inOneGo(withoutMasked(reason, masked, claim.run.input));
  const { status, changed } = await cancelAs(tx, auditKeys, systemCaller(nameOf(claim)), before, shown);
  return { output: { cancelled: true, status }, ...changed };
}

async function sendToOthers(
  tx: Db,
  claim: Claim,
  { event, payload, options }: OtherWrite & { kind: "send" },
  key: string,
  { code }: Others,
): Promise<Changed & { output: SentEvent }> {
  const runId = options.runId === undefined ? undefined : otherRun(claim, options.runId, "send an event to itself");
  const prepared = await prepareEvent(event, payload, {
    ...options,
    id: options.id ?? key,
    ...(runId !== undefined && { runId }),
  });
  if (typeof event === "string") await code.checkPayload(event, payload);
  if (runId !== undefined) await lockBoth(tx, claim, runId);
  const headers = runId === undefined ? handedOn(claim.run.headers, options.headers) : null;
  const output = await tracedSend(prepared.name, { received: claim.run.trace }, (trace) =>
    sendEvent(tx, { ...prepared, headers, sentBy: nameOf(claim), trace }),
  );
  return { output, sent: true };
}

/** @throws HandrailError `invalid_request` for what is no id; `not_allowed` for the run itself */
function otherRun(claim: Claim, given: string, what: string): string {
  const runId = runIdOf(given);
  if (runId === claim.run.id) throw new HandrailError("not_allowed", `A run cannot ${what}.`);
  return runId;
}

/** Locks this run, under its fence, and the other one, in the order of ids. Undefined: there is no other one. */
async function lockBoth(tx: Db, claim: Claim, runId: string): Promise<LockedRun | undefined> {
  const { id, epoch } = claim.run;
  const hold = async () => {
    if (!(await holdsRun(tx, id, epoch))) throw new ClaimLost(id);
  };
  if (id < runId) await hold();
  const other = await lockRun(tx, runId);
  if (id > runId) await hold();
  return other;
}
