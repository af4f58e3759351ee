import type { Db, Statement } from "../db";

/*
 * Races with: a claim of the same worker that nobody waits for any more; whoever calls this does so again until it must
 * have ended. Takeovers and operators' acts find another epoch.
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
 * For a run of whose payloads this worker lacks a key: another one is to take it up. Until then it is among the
 * timers, so that it is not taken again at once, and stands in nobody's way.
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

/** A run is offered to the others again after this long, give or take a half, so that many are not all offered at once. */
const LEAVE_MS = 2_000;

/** Gives a claimed run back, without a trace of this claim. A lost claim has nothing to give. */
export async function leaveToOthers(db: Db, runId: string, epoch: number): Promise<void> {
  await db.query(leaveStatement, [runId, epoch, LEAVE_MS * (0.5 + Math.random())]);
}

/** Frees the runs that this worker owns without knowing it: a claim has committed, and its answer was lost. Gives their ids. */
export async function handBackUnknown(db: Db, workerId: number, known: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>(handBackStatement, [workerId, known]);
  return rows.map(({ id }) => id);
}
