import type { Db, Statement } from "./db";

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

/** Frees the runs that this worker owns without knowing it: a claim has committed, and its answer was lost. Gives their ids. */
export async function handBackUnknown(db: Db, workerId: number, known: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>(handBackStatement, [workerId, known]);
  return rows.map(({ id }) => id);
}
