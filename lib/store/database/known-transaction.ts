import pg, { type Pool, type PoolClient, type QueryResult } from "pg";
import {
  asSessionAllows,
  brokenAfterItsBody,
  clientDb,
  IN_FAILED_TRANSACTION,
  type OpenTransaction,
  type Statement,
  sqlState,
  transact,
} from "../db";
import { beginLater, isIdle, withCommit } from "./one-trip";
import { idStatement, knownId, type TransactionId } from "./transaction-id";
import { isTrouble } from "./trouble";

/** A transaction with its id. On connections of our pg, it begins with its first statement, and may commit with its last. */
export function inKnownTransaction<Result>(
  pool: Pool,
  body: (client: PoolClient, tx: OpenTransaction, id: TransactionId) => Promise<Result>,
): Promise<Result> {
  let id: TransactionId = "";
  let isCommitted = false;
  const begin = async (client: PoolClient) => {
    if (!oursOf(client)) id = idIn(await client.query(`begin; ${idStatement.text}`), 1);
  };
  const commit = async (client: PoolClient) => isCommitted || commitKnown(client, knownId(id));
  return transact(
    pool,
    begin,
    async (client) => {
      const ours = oursOf(client);
      if (!ours) return body(client, clientDb(client), id);
      const tx = clientDb(client);
      const queryAndCommit = async <Row>(statement: Statement, values: readonly unknown[]) => {
        // What the body has left running comes before the commit, as it would in two round trips.
        if (!isIdle(ours)) return tx.query<Row>(statement, values);
        const [answered, ended] = await asSessionAllows(ours, statement, values, (config) => withCommit(ours, config));
        if (ended?.command !== "COMMIT") throw brokenAfterItsBody();
        isCommitted = true;
        return answered?.rows as Row[];
      };
      const later = beginLater(ours);
      id = later;
      // A transaction that could not begin is no failure of its body, whatever that throws for it.
      const unlessBegun = (error: unknown) => Promise.reject(isTrouble(later.failure()) ? later.failure() : error);
      return body(client, { ...tx, queryAndCommit }, id)
        .catch(unlessBegun)
        .finally(later.over);
    },
    commit,
  );
}

/** An app's own pool may be of another version of pg, or of its native client: only what both promise is used there. */
const oursOf = (client: PoolClient): pg.Client | undefined => (client instanceof pg.Client ? client : undefined);

/**
 * What the body left running may have failed, or ended the transaction, since the body's end: PostgreSQL answers such a commit
 * without an error. In an aborted transaction the question fails; in another one its answer is another.
 */
async function commitKnown(client: PoolClient, known: string | undefined): Promise<void> {
  const answered = await client.query("select pg_current_xact_id_if_assigned()::text as id; commit").catch(refused);
  if (idIn(answered, 0) !== known) throw brokenAfterItsBody();
}

/** Of one of several statements: there is one result for each. */
const idIn = (results: unknown, which: number) => (results as QueryResult<{ id: string }>[])[which]?.rows[0]?.id ?? "";

function refused(error: unknown): never {
  throw sqlState(error) === IN_FAILED_TRANSACTION ? brokenAfterItsBody(error) : error;
}
