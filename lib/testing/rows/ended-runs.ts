import type { Pool } from "pg";

interface Ended {
  workflow: string;
  version: number;
  status: "completed" | "failed";
  count: number;
  /** How long each took, in milliseconds. Default 1000. */
  ms?: number;
}

/** Runs that have just ended, with one step each, stamped by the database. */
export async function endedRuns(pool: Pool, { workflow, version, status, count, ms = 1_000 }: Ended): Promise<void> {
  await pool.query(
    `with run as (
       insert into handrail.run (id, workflow, version, status, attention, error, input, created_at, started_at, finished_at)
       select handrail.new_id(), $1, $2::int, $3, case $3 when 'failed' then 'failed' end, case $3 when 'failed' then '{}' end, '{}',
         clock_timestamp() - ($5::float8 + 500) * interval '1 ms', clock_timestamp() - $5::float8 * interval '1 ms', clock_timestamp()
       from generate_series(1, $4::int) returning id, finished_at
     )
     insert into handrail.step (run_id, name, generation, kind, effect, status, position, finished_position, attempt, max_attempts,
       key_generation, output, error, started_at, finished_at)
     select id, 'charge', 1, 'step', 'idempotent', $3, 1, 1, 2, 4, 1, case $3 when 'completed' then 'null' end,
       case $3 when 'failed' then '{}' end, finished_at - $5::float8 / 2 * interval '1 ms', finished_at from run`,
    [workflow, version, status, count, ms],
  );
}
