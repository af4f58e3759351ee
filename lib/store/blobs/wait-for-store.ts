import type { Db, Statement } from "../db";
import { WAITS_ON } from "./blob-waits";

const WAITS = "status <> 'compensating' and (pause_requested_at is null or cancel_requested_at is not null)";

/*
 * For a claimed run whose blob cannot be read or written now. Its owner gives it back with a due time, and says what it waits for.
 */
const waitStatement: Statement = {
  name: "wait-for-blob-store",
  text: `
    update handrail.run set
      epoch = epoch + 1, revision = revision + 1, worker_id = null,
      status = case when status = 'compensating' then 'compensating'
        when pause_requested_at is not null and cancel_requested_at is null then 'paused' else 'waiting' end,
      waiting_kind = case when ${WAITS} then 'blob' end,
      waiting_since = case when ${WAITS}
        then coalesce((select since from handrail.blob_wait where run_id = run.id and ${WAITS_ON}), clock_timestamp())
        end,
      waiting_step = case when ${WAITS} then $3 end,
      due_at = case when status = 'compensating' or pause_requested_at is null or cancel_requested_at is not null
        then clock_timestamp() + $4::float8 * interval '1 ms' end
    where id = $1::uuid and epoch = $2::bigint and worker_id is not null`,
};

/** Does nothing for a lost claim. `step`: whose value it is; null: the run's own. */
export async function waitForBlobStore(
  db: Db,
  run: { id: string; epoch: number },
  step: string | null,
  inMs: number,
): Promise<void> {
  await db.query(waitStatement, [run.id, run.epoch, step, inMs]);
}
