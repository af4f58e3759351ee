import type { Db, Statement } from "../db";

/*
 * Guarantee: those workers count as silent from here on, and the next take-over frees their runs. An id is one
 * registration forever and its process never changes, so the proof remains valid. Races with: a last beat in flight
 * (whichever is second finds the lease ended, or ends it), the same statement elsewhere (locks in the order of ids), a
 * last claim (it keeps the worker from being closed until a sweep has seen what it took).
 */
const endLeasesStatement: Statement = {
  name: "end-leases",
  text: `
    with held as (
      select id from handrail.worker
      where id = any ($1::bigint[]) and stopped_at is null and lease_expires_at > clock_timestamp()
      order by id
      for no key update
    )
    update handrail.worker set lease_expires_at = clock_timestamp() from held where worker.id = held.id`,
};

/**
 * Ends leases early. Only for workers whose process is proven to be gone: a live one loses its runs by it, and learns
 * so from its next beat.
 */
export async function endLeases(db: Db, workerIds: readonly number[]): Promise<void> {
  await db.query(endLeasesStatement, [workerIds]);
}
