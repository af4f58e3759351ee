import { BUCKETS_PER_DOUBLING, LAST_BUCKET } from "../../engine/flow/histogram";
import type { CountedEnds, CountedStarts, CountedSteps } from "../../engine/flow/rollup";
import { settledBy, writersOf } from "../database/settle";
import type { Db, Statement } from "../db";

/** The progress of the fold; instants as the database writes them, to the microsecond. */
export interface RollupProgress {
  endedAt: string;
  endedId: string;
  startedId: string;
  settledAt: string;
  markAt: string | null;
  markHeld: string[];
}

/** While nothing starts or ends, how far the counts go is kept anew this often: metrics and a rule of the doctor say how old it is. */
const KEPT_EVERY = "interval '30 seconds'";

export const COUNT_DUE = `(
      select settled_at < clock_timestamp() - ${KEPT_EVERY}
        or exists (select from handrail.run where id > started_id)
        or exists (select from handrail.run where finished_at >= ended_at and (finished_at, id) > (ended_at, ended_id))
        or exists (select from handrail.run_end where at >= ended_at and (at, run_id) > (ended_at, ended_id))
      from handrail.rollup_fold)`;

const dueStatement: Statement = { name: "rollups-due", text: `select ${COUNT_DUE} as due` };

/** Whether there is something to count. */
export async function isCountDue(db: Db): Promise<boolean> {
  return (await db.query<{ due: boolean }>(dueStatement, []))[0]?.due ?? false;
}

const lockStatement: Statement = {
  name: "lock-rollup-fold",
  text: `
    select ended_at::text as "endedAt", ended_id::text as "endedId", started_id::text as "startedId",
      settled_at::text as "settledAt", mark_at::text as "markAt", mark_held as "markHeld"
    from handrail.rollup_fold for update skip locked`,
};

/**
 * For the rest of the transaction, no other process folds or deletes rollups. Undefined: another process holds the
 * lock.
 */
export async function lockRollups(tx: Db): Promise<RollupProgress | undefined> {
  const [progress] = await tx.query<RollupProgress>(lockStatement, []);
  return progress;
}

/** The instant is the statement's own, which comes before it reads the locks; it never goes back. */
const writersStatement: Statement = {
  name: "writers-of-runs",
  text: `
    select greatest(statement_timestamp(), (select settled_at from handrail.rollup_fold))::text as at, ${writersOf("run")} as held`,
};

/** Advances the settled instants as far as possible now; never waits. */
export async function settle(tx: Db, progress: RollupProgress): Promise<RollupProgress> {
  const [now] = await tx.query<{ at: string; held: string[] }>(writersStatement, []);
  const { at, held } = now as { at: string; held: string[] };
  const known = { settled: progress.settledAt, mark: progress.markAt, held: progress.markHeld };
  const { settled, mark, held: markHeld } = settledBy(known, at, held);
  return { ...progress, settledAt: settled, markAt: mark, markHeld };
}

/**
 * How far the clocks of starting processes may be behind; a start by one that is further behind is counted at its end.
 */
const CLOCKS_BEHIND = "interval '15 seconds'";

const MINUTE_OF = (at: string) => `floor(extract(epoch from ${at}) / 60)::float8 * 60000`;
/** The bucket of histogram.ts; null of null. */
const BUCKET_OF = (from: string, to: string) => {
  const ms = `(extract(epoch from ${to} - ${from})::float8 * 1000)`;
  return `(case when ${from} is null or ${to} is null then null when ${ms} < 1 then 0
        else least(floor(ln(${ms}) / ln(2::float8) * ${BUCKETS_PER_DOUBLING})::int + 1, ${LAST_BUCKET}) end)`;
};
/** When the id of a run was made, by the clock of the process that made it. */
const ID_MADE_AT = (id: string) =>
  `to_timestamp(('x' || translate(left(${id}::text, 13), '-', ''))::bit(48)::bigint / 1000.0)`;
const IS_LATE = (id: string) => `created_at >= ${ID_MADE_AT(id)} + ${CLOCKS_BEHIND}`;

interface NextEnds {
  taken: number;
  last: { at: string; id: string } | null;
  ends: CountedEnds[];
  steps: CountedSteps[];
  lateStarts: CountedStarts[];
}

/*
 * Ends in the order of their instants: those that runs have now, and those they had before they were reopened. One
 * snapshot sees each end in one of both places. A run's second end counts no step again: only those of later
 * generations.
 */
const endsStatement: Statement = {
  name: "next-ends",
  text: `
    with batch as (
      select * from (
        (select id, finished_at as at, workflow, coalesce(code_version, version) as version, generation, status, created_at, started_at
        from handrail.run
        where finished_at >= $1::timestamptz and finished_at < $3::timestamptz and (finished_at, id) > ($1::timestamptz, $2::uuid)
        order by finished_at, id limit $4::int)
        union all
        (select run_id, at, workflow, version, generation, status, created_at, started_at
        from handrail.run_end
        where at >= $1::timestamptz and at < $3::timestamptz and (at, run_id) > ($1::timestamptz, $2::uuid)
        order by at, run_id limit $4::int)
      ) as either
      order by at, id limit $4::int
    ), run_ends as (
      select batch.*, ${MINUTE_OF("at")} as minute, (
        select max(earlier.generation) from handrail.run_end as earlier where earlier.run_id = batch.id and earlier.at < batch.at
      ) as before
      from batch
    ), ends as (
      select workflow, version, minute as "atMs", status, count(*)::int as runs,
        case when before is null and status in ('completed', 'failed') then ${BUCKET_OF("started_at", "at")} end as "tookBucket",
        case when before is null then ${BUCKET_OF("created_at", "started_at")} end as "queuedBucket"
      from run_ends group by workflow, version, minute, status, "tookBucket", "queuedBucket"
    ), steps as (
      select workflow, version, minute as "atMs", step.name as step, count(*)::int as executions,
        count(*) filter (where step.status <> 'completed')::int as failures, sum(greatest(step.attempt - 1, 0))::int as retries,
        ${BUCKET_OF("step.started_at", "step.finished_at")} as "tookBucket"
      from run_ends cross join lateral (select * from handrail.step where step.run_id = run_ends.id offset 0) as step
      where step.kind in ('step', 'transaction') and step.status in ('completed', 'failed', 'unknown') and step.finished_at is not null
        and step.generation > coalesce(before, 0) and step.generation <= run_ends.generation
      group by workflow, version, minute, step.name, "tookBucket"
    ), late_starts as (
      select workflow, version, ${MINUTE_OF("created_at")} as "atMs", count(*)::int as runs
      from run_ends where before is null and ${IS_LATE("id")} group by workflow, version, 3
    )
    select (select count(*)::int from batch) as taken,
      (select json_build_object('at', at::text, 'id', id) from batch order by at desc, id desc limit 1) as last,
      (select coalesce(json_agg(ends), '[]') from ends) as ends,
      (select coalesce(json_agg(steps), '[]') from steps) as steps,
      (select coalesce(json_agg(late_starts), '[]') from late_starts) as "lateStarts"`,
};

/** The next settled ends that are not counted. */
export async function nextEnds(tx: Db, progress: RollupProgress, limit: number): Promise<NextEnds> {
  const { endedAt, endedId, settledAt } = progress;
  const [ends] = await tx.query<NextEnds>(endsStatement, [endedAt, endedId, settledAt, limit]);
  return ends as NextEnds;
}

/**
 * By the order of ids, which carry the instant of the start: an index of instants would make every change of a run more
 * expensive.
 */
const startsStatement: Statement = {
  name: "next-starts",
  text: `
    with batch as (
      select id, workflow, version, created_at from handrail.run
      where id > $1::uuid and id < (lpad(to_hex((extract(epoch from $2::timestamptz - ${CLOCKS_BEHIND}) * 1000)::bigint), 12, '0')
        || repeat('0', 20))::uuid
      order by id limit $3::int
    ), starts as (
      select workflow, version, ${MINUTE_OF("created_at")} as "atMs", count(*)::int as runs
      from batch where not ${IS_LATE("id")} group by workflow, version, 3
    )
    select (select count(*)::int from batch) as taken, (select id from batch order by id desc limit 1) as last,
      (select coalesce(json_agg(starts), '[]') from starts) as starts`,
};

interface NextStarts {
  taken: number;
  last: string | null;
  starts: CountedStarts[];
}

/** The next settled starts that are not counted. */
export async function nextStarts(tx: Db, { startedId, settledAt }: RollupProgress, limit: number): Promise<NextStarts> {
  const [starts] = await tx.query<NextStarts>(startsStatement, [startedId, settledAt, limit]);
  return starts as NextStarts;
}

const keepStatement: Statement = {
  name: "keep-rollup-progress",
  text: `
    update handrail.rollup_fold set ended_at = $1::timestamptz, ended_id = $2::uuid, started_id = $3::uuid,
      settled_at = $4::timestamptz, mark_at = $5::timestamptz, mark_held = $6::text[]`,
};

export async function keepProgress(tx: Db, progress: RollupProgress): Promise<void> {
  const { endedAt, endedId, startedId, settledAt, markAt, markHeld } = progress;
  await tx.query(keepStatement, [endedAt, endedId, startedId, settledAt, markAt, markHeld]);
}
