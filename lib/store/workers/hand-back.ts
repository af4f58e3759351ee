import type { Db, Statement } from "../db";

/*
 * Races with: an abandoned claim of the same worker; the caller repeats this until that must have ended. Takeovers and
 * operators' actions find another epoch.
 */
const handBackStatement: Statement = {
  name: "hand-back-unknown",
  text: `
    update handrail.run set
      epoch = epoch + 1, revision = revision + 1, worker_id = null,
      status = case when status = 'compensating' then 'compensating'
        when pause_requested_at is not null and cancel_requested_at is null then 'paused' else 'pending' end,
      due_at = case status when 'compensating' then clock_timestamp() end
    where worker_id = $1::bigint and id <> all ($2::uuid[])
    returning id::text`,
};

/*
 * For a run with payloads that this worker has no key for: another worker has to claim it. Until then it is among the
 * timers, so that it is not claimed again at once and blocks no other run.
 */
const leaveStatement: Statement = {
  name: "leave-to-others",
  text: `
    update handrail.run set
      epoch = epoch + 1, revision = revision + 1, worker_id = null,
      status = case when status = 'compensating' then 'compensating'
        when pause_requested_at is not null and cancel_requested_at is null then 'paused' else 'pending' end,
      due_at = case when status = 'compensating' or pause_requested_at is null or cancel_requested_at is not null
        then clock_timestamp() + $3::float8 * interval '1 ms' end
    where id = $1::uuid and epoch = $2::bigint and worker_id is not null`,
};

/** Delay before the run is offered again, ± half, so that many are not all offered at once. */
const LEAVE_MS = 2_000;

/** Gives a claimed run back, without a trace of this claim. Does nothing for a lost claim. */
export async function leaveToOthers(db: Db, runId: string, epoch: number): Promise<void> {
  await db.query(leaveStatement, [runId, epoch, LEAVE_MS * (0.5 + Math.random())]);
}

/** Frees the runs of claims that committed while their answer was lost. Returns their ids. */
export async function handBackUnknown(db: Db, workerId: number, known: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>(handBackStatement, [workerId, known]);
  return rows.map(({ id }) => id);
}
