import type { Pool } from "pg";
import { idAt } from "../../../lib/engine/runs/run-ids";

export const STORED = "stored";
/** Ended runs lie behind each other over so many days, each of which is a partition where there are any. */
export const DAYS = 30;
export const STEPS_OF_A_RUN = 3;
export const DAY_MS = 86_400_000;
const BATCH = 100_000;
/** Connections that fill at the same time. */
const FILLERS = 2;

export interface Filling {
  runs: number;
  /** Of the first day. */
  sinceMs: number;
}

/** The partition of a day; the last one takes all that begins later. */
export const partitionOf = (day: number): string => `handrail.step_day_${day}`;

/**
 * Turns the empty table of steps into one with a partition a day, by the run's id, which begins with the instant of its start.
 * Its key, checks, settings and triggers stay.
 */
export async function partitionSteps(pool: Pool, sinceMs: number): Promise<void> {
  const { rows: triggers } = await pool.query<{ text: string }>(
    "select pg_get_triggerdef(oid) as text from pg_trigger where tgrelid = 'handrail.step'::regclass and not tgisinternal",
  );
  const partitions = Array.from({ length: DAYS + 1 }, (_, day) => {
    const from = day === 0 ? "minvalue" : `'${idAt(sinceMs + day * DAY_MS, "0")}'`;
    const to = day === DAYS ? "maxvalue" : `'${idAt(sinceMs + (day + 1) * DAY_MS, "0")}'`;
    return `create table ${partitionOf(day)} partition of handrail.step for values from (${from}) to (${to})`;
  });
  const statements = [
    "alter table handrail.step rename to step_rows",
    "create table handrail.step (like handrail.step_rows including all) partition by range (run_id)",
    "drop table handrail.step_rows",
    ...partitions,
    ...triggers.map(({ text }) => text),
  ];
  await pool.query(`begin; ${statements.join("; ")}; commit`);
}

/** Ended runs of three steps, evenly over the days from `sinceMs` on: from the run of this number to before another. */
export async function fillStored(pool: Pool, { runs, sinceMs }: Filling, first = 0, end = runs): Promise<void> {
  let next = first;
  const filler = async () => {
    const client = await pool.connect();
    try {
      // Without triggers: nobody is to be told of these runs, and the charts have counted what is older than an hour.
      await client.query("set session_replication_role = replica; set synchronous_commit = off");
      for (let from = next; from < end; from = next) {
        next += BATCH;
        await client.query(RUNS_AND_STEPS, [from, Math.min(from + BATCH, end) - 1, sinceMs, (DAYS * DAY_MS) / runs]);
      }
      await client.query("reset session_replication_role; reset synchronous_commit");
    } finally {
      client.release();
    }
  };
  await Promise.all(Array.from({ length: FILLERS }, filler));
}

/** The ids are as if the app had made them: an instant, and bits that are no order. */
const RUNS_AND_STEPS = `
  with made as (
    select n, at, (lpad(to_hex(ms), 12, '0') || '7' || substr(digest, 1, 3) || '8' || substr(digest, 4, 15))::uuid as id
    from (
      select n, ms, to_timestamp(ms / 1000.0) as at, md5(n::text) as digest
      from generate_series($1::bigint, $2::bigint) as n cross join lateral floor($3::float8 + n * $4::float8) as instant
        cross join lateral cast(instant as bigint) as ms
    ) as placed
  ), begun as (
    insert into handrail.run (id, workflow, version, status, epoch, revision, input, output, created_at, started_at, finished_at)
    select id, '${STORED}', 1, 'completed', 1, 3, '{"n":' || n || '}', n::text, at, at + interval '5 ms', at + interval '20 ms' from made
  )
  insert into handrail.step (run_id, name, generation, kind, effect, status, position, finished_position, attempt, max_attempts,
    key_generation, output, started_at, finished_at)
  select id, (array['one', 'two', 'three'])[place], 1, 'step', 'idempotent', 'completed', place, place, 1, 4, 1, n::text,
    at + place * interval '5 ms', at + place * interval '5 ms' + interval '2 ms'
  from made cross join generate_series(1, ${STEPS_OF_A_RUN}) as place`;
