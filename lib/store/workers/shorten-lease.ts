import type { Db, Statement } from "../db";

/*
 * In the statement or the transaction of a claim that took runs, for a worker whose lease may be the longer one: from its
 * commit on, others take these runs over as soon as those of any worker. The claim has locked the row (for key share), so
 * that this is its second change of it at most.
 */
export const shortenedLease = (worker: string, leaseMs: string) => `
      update handrail.worker set heartbeat_at = clock_timestamp(),
        lease_expires_at = clock_timestamp() + ${leaseMs}::int * interval '1 ms'
      where id = ${worker}::bigint`;

const shortenStatement: Statement = { name: "shorten-lease", text: shortenedLease("$1", "$2") };

/** The same, in the transaction of a claim. */
export async function shortenLease(tx: Db, workerId: number, leaseMs: number): Promise<void> {
  await tx.query(shortenStatement, [workerId, leaseMs]);
}
