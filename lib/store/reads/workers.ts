import type { Db, Statement } from "../db";
import type { RowInstant } from "../rows";
import { AS_OF } from "../standby/as-of";

export interface WorkerRow {
  id: number;
  name: string;
  status: "live" | "stopping" | "lost" | "stopped";
  workflows: string[];
  /** For a worker over HTTP; null for one of this code. */
  language: string | null;
  concurrency: number;
  running: number;
  started_at: RowInstant;
  heartbeat_at: RowInstant;
  lease_expires_at: RowInstant;
  stopped_at: RowInstant | null;
}

/** Of a row `worker`. */
export const WORKER_STATUS = `case
        when lease_expires_at <= coalesce(stopped_at, ${AS_OF}) then 'lost'
        when stopped_at is not null then 'stopped'
        when stopping_at is not null then 'stopping'
        else 'live' end`;

/**
 * Every worker that is still expected to heartbeat, and the last ones that are not: those whose lease expired first
 * were lost.
 */
const workersStatement: Statement = {
  name: "workers",
  text: `
    select worker.*, ${WORKER_STATUS} as status
    from (
      (select * from handrail.worker where stopped_at is null order by id desc limit $1::int)
      union all
      (select * from handrail.worker where stopped_at is not null order by id desc limit $2::int)
    ) as worker
    order by id desc`,
};

const MAX_PRESENT = 200;
const MAX_GONE = 20;

export function listWorkers(db: Db) {
  return db.query<WorkerRow>(workersStatement, [MAX_PRESENT, MAX_GONE]);
}
