import type { Db, Statement } from "../db";

/*
 * First statement of a worker's transaction on its run: waits for the row's lock, and compares the epoch under it, so that a stale
 * owner cannot write in this transaction. Outside of one it only compares.
 */
const fenceStatement: Statement = {
  name: "fence",
  text: `
    select epoch = $2::bigint and worker_id is not null as holds from handrail.run
    where id = $1::uuid
    for no key update`,
};

/** False: this claim no longer holds the run. */
export async function holdsRun(tx: Db, runId: string, epoch: number): Promise<boolean> {
  const [row] = await tx.query<{ holds: boolean }>(fenceStatement, [runId, epoch]);
  return row?.holds ?? false;
}
