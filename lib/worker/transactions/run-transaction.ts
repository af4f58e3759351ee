import { isLarge } from "../../engine/values/is-large";
import type { StepBody } from "../../engine/workflows/step-options";
import { idOf } from "../../store/database/transaction-id";
import { isTrouble } from "../../store/database/trouble";
import { type Db, sqlState } from "../../store/db";
import { readCheckpoint } from "../../store/steps/read-checkpoint";
import { recordStepInside } from "../../store/steps/record-step";
import type { Claim } from "../claims/claim";
import { ClaimLost } from "../claims/claim-lost";
import { faultPoint } from "../fault-points";
import type { Pass } from "../passes/pass";
import { around } from "../steps/around";
import { attemptBody } from "../steps/attempt";
import { completedRow, encodedOutput, storedOutput } from "../steps/keep-outcome";
import type { Execute } from "../steps/run-step";
import { runBody } from "../steps/running-body";
import { markWhenLong } from "../steps/start-mark";
import type { StepState } from "../steps/step-state";
import { againOnConflict } from "./conflicts";
import { endedByItsBody, OutsideTransaction, type Trace, unlessAborted } from "./own-transaction";
import type { TransactionSource } from "./transactions";

/** Of the blob store, while the transaction is open: then it rolls back, and the step waits. */
const TRIES_OF_STORE = 4;

/*
 * Guarantee: the app's writes and the checkpoint commit together, once. The checkpoint comes last, in the app's own
 * transaction, with the fence in its statement, and writes nothing unless it is in the transaction that was begun for
 * this body: a stale worker's writes roll back, and so do those of a second body of the same step (one that outlived
 * its timeout, say), which finds the recorded outcome and adopts it.
 */
export function transactionBody<Client>(
  { claim, rest }: Pass,
  db: Db,
  source: TransactionSource<Client>,
  body: (client: Client, body: StepBody) => Promise<unknown>,
): Execute {
  return async (state, given) => {
    const { name } = state.plan;
    const outcome = await attemptBody(rest, state, ({ signal }) =>
      againOnConflict(
        async (begun) => {
          const trace: Trace = { id: undefined, written: false };
          const span = claim.trace?.transaction(state);
          const begin = (client: Client) => {
            begun();
            return runBody({ kind: "body", step: name, captured: claim.capturing(given.log) }, () =>
              state.plan.kind === "transaction"
                ? around(
                    claim,
                    () => ({ ...given, kind: "transaction", step: name, effect: state.plan.effect, signal }),
                    () => body(client, { ...given, signal }),
                  )
                : body(client, { ...given, signal }),
            );
          };
          try {
            const output = await commitOnce(claim, source, state, begin, signal, trace);
            span?.end("committed");
            return output;
          } catch (error) {
            span?.end("rolled back", error);
            const output = await resolve(claim, db, state, error);
            if (output !== undefined) return output;
            throw (await endedByItsBody(claim, db, trace, name, error)) ?? error;
          }
        },
        signal,
        claim.tally,
      ),
    );
    if (outcome.next === "completed") return { next: "kept", output: outcome.output as string };
    const keptMeanwhile = () => claim.retrying(() => readCheckpoint(db, claim.run.id, name, state.generation));
    return { ...outcome, keptMeanwhile };
  };
}

async function commitOnce<Client>(
  claim: Claim,
  source: TransactionSource<Client>,
  state: StepState,
  body: (client: Client) => unknown,
  signal: AbortSignal,
  trace: Trace,
): Promise<string> {
  const { id: runId, epoch } = claim.run;
  const output = await source(async (client, tx, given) => {
    trace.id = given;
    // Not while it waits for a connection: nothing runs yet.
    const unmark = markWhenLong(claim, state);
    const value = await (async () => body(client))().finally(unmark);
    signal.throwIfAborted();
    const output = encodedOutput(claim, state, value);
    const stored = isLarge(output) ? await storedOutput(claim, state, output, TRIES_OF_STORE) : output;
    const step = completedRow(state, value, stored);
    const atCommit = () => faultPoint("transaction:before-commit", state.plan.name);
    await faultPoint("transaction:before-checkpoint", state.plan.name);
    // Nothing comes between a checkpoint and a commit in one round trip.
    if (tx.queryAndCommit) await atCommit();
    const id = await idOf(given);
    const receipt = await unlessAborted(recordStepInside(tx, id, { runId, epoch, step }));
    if (!receipt) throw new ClaimLost(runId);
    if (!receipt.allowed) throw new OutsideTransaction();
    if (!receipt.written) throw new KeptBefore();
    trace.written = true;
    if (!tx.queryAndCommit) await atCommit();
    return output;
  });
  await faultPoint("transaction:after-commit", state.plan.name);
  return output;
}

/** Another body of this step has committed its outcome: this one's writes roll back. */
class KeptBefore extends Error {}

/**
 * The outcome that is recorded although this transaction threw: by another body, or by this one's commit whose answer
 * was lost.
 */
async function resolve(claim: Claim, db: Db, state: StepState, error: unknown): Promise<string | undefined> {
  if (error instanceof ClaimLost) throw claim.lost();
  if (isTrouble(error)) await claim.untilUsable(db);
  else if (sqlState(error) !== undefined) return undefined;
  return claim.retrying(() => readCheckpoint(db, claim.run.id, state.plan.name, state.generation));
}
