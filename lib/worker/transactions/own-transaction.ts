import { HandrailError } from "../../engine/errors";
import { serializeError } from "../../engine/values/serialized-error";
import { idOf, isInside, knownId, type TransactionId, transactionStatus } from "../../store/database/transaction-id";
import { type Db, IN_FAILED_TRANSACTION, sqlState } from "../../store/db";
import type { Claim } from "../claims/claim";

/** The transaction that the engine began for one body. */
export interface Trace {
  /** Undefined until it can begin. */
  id: TransactionId | undefined;
  /** Whether the body's outcome is written in it: a commit from then on is the engine's. */
  written: boolean;
}

/** The connection is no longer in the transaction that the engine began. */
export class OutsideTransaction extends Error {}

/** Before an outcome is written. @throws OutsideTransaction; HandrailError `transaction_aborted` */
export async function assertInside(tx: Db, { id }: Trace): Promise<void> {
  const begun = await idOf(id as TransactionId);
  if (!(await unlessAborted(isInside(tx, begun)))) throw new OutsideTransaction();
}

/** An engine statement in the app's transaction. @throws HandrailError `transaction_aborted` */
export async function unlessAborted<Answer>(statement: Promise<Answer>): Promise<Answer> {
  try {
    return await statement;
  } catch (error) {
    if (sqlState(error) !== IN_FAILED_TRANSACTION) throw error;
    throw new HandrailError(
      "transaction_aborted",
      "A statement of the body failed and its error was caught, but PostgreSQL has aborted the whole transaction: nothing was kept. " +
        "Rethrow the error, or set a savepoint before the statement and roll back to it.",
      {},
      { cause: error },
    );
  }
}

/**
 * After a body's transaction has failed: the error for a body that ended it by itself; undefined when it did not. Such
 * a body must not be retried: its committed writes are in the database.
 */
export async function endedByItsBody(
  claim: Pick<Claim, "retrying">,
  db: Db,
  { id: given, written }: Trace,
  step: string,
  error: unknown,
): Promise<HandrailError | undefined> {
  const id = given && knownId(given);
  if (id === undefined || written) return undefined;
  const status = await claim.retrying(() => transactionStatus(db, id));
  if (status !== "committed" && !(error instanceof OutsideTransaction)) return undefined;
  // Without a cause: a conflict or a failure of the connection in it would be retried.
  const then =
    error instanceof Error && !(error instanceof OutsideTransaction)
      ? ` It then failed: ${serializeError(error).message}`
      : "";
  return new HandrailError(
    "transaction_ended",
    `The body of step "${step}" ended its own transaction: ${ENDED[status ?? "aborted"]}. Later writes of the body may be in the ` +
      `database, too. The step is not recorded as completed and is not retried.${then} Check the database, remove COMMIT and ROLLBACK ` +
      "from the body (savepoints are allowed), and then rerun the step or supply its output.",
    { step, transaction: status ?? "unknown" },
  );
}

const ENDED = {
  committed: "what it wrote up to there is committed",
  aborted: "what it wrote up to there is rolled back",
  "in progress": "what it wrote up to there is prepared, and waits for COMMIT PREPARED or ROLLBACK PREPARED",
};
