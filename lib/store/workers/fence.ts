import type { Db, Statement } from "../db";

/*
 * Opens a worker's transaction on its run: waits for whoever holds the row, and compares the epoch under the lock, so that
 * nothing this transaction writes can be a stale owner's.
 */
const fenceStatement: Statement = {
  name: "fence",
  text: `
    select epoch = $2::bigint and worker_id is not null as holds from handrail.run
    where id = $1::uuid
    for no key update`,
};

/** False: the run belongs to somebody else by now. */
export async function holdsRun(tx: Db, runId: string, epoch: number): Promise<boolean> {
  const [row] = await tx.query<{ holds: boolean }>(fenceStatement, [runId, epoch]);
  return row?.holds ?? false;
}
