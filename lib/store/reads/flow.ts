import { ROLLUP_LEVELS, type RollupMinutes } from "../../engine/flow/rollup";
import type { Db, Statement } from "../db";
import type { RowInstant } from "../rows";

export interface FlowAsked {
  minutes: RollupMinutes;
  /** The window begins here; the one before it is read, too. */
  fromMs: number;
  untilMs: number;
  pointMs: number;
  /** Only these; null: all but those of `without`. */
  workflows: readonly string[] | null;
  without: readonly string[];
}

/** Sums of one point of the window (-1: of the whole window before), or of one workflow or version within it. */
export interface FlowRow {
  facet: "point" | "workflow" | "version";
  key: string;
  started: number;
  completed: number;
  failed: number;
  cancelled: number;
  compensated: number;
  retries: number;
  took: [bucket: number, count: number][];
  queued: [bucket: number, count: number][];
}

/** What is counted of runs. */
export const SUMS = ["started", "completed", "failed", "cancelled", "compensated", "retries"];

const POINT = `greatest(floor((extract(epoch from at) * 1000 - $2::float8) / $4::float8)::int, -1)`;

/** The histograms of `rows` that have the same keys, added. */
export const histogram = (name: "took" | "queued", rows: string, keys: string) => `(
        select ${keys}, json_agg(json_build_array(bucket, count)) as ${name} from (
          select ${keys}, bucket, sum(count)::float8 as count
          from ${rows} cross join lateral unnest(${name}_buckets, ${name}_counts) as held (bucket, count)
          group by ${keys}, bucket
        ) as merged group by ${keys}
      )`;

/**
 * Reads rollups alone: as many rows as the window has periods, workflows and versions, however many runs there were.
 */
const flowStatement: Statement = {
  name: "flow",
  text: `
    with rows as (
      select ${POINT} as point, * from handrail.run_rollup
      where minutes = $1::smallint and at >= to_timestamp(($2::float8 - ($3::float8 - $2::float8)) / 1000) and at < to_timestamp($3::float8 / 1000)
        and ($5::text[] is null or workflow = any ($5::text[])) and not workflow = any ($6::text[])
    ), faceted as (
      select 'point' as facet, point::text as key, rows.* from rows
      union all select 'workflow', workflow, rows.* from rows where point >= 0
      union all select 'version', version::text, rows.* from rows where point >= 0 and cardinality($5::text[]) = 1
    ), counts as (
      select facet, key, ${SUMS.map((sum) => `sum(${sum})::int as ${sum}`).join(", ")} from faceted group by facet, key
    )
    select counts.*, coalesce(took, '[]') as took, coalesce(queued, '[]') as queued
    from counts left join ${histogram("took", "faceted", "facet, key")} as took using (facet, key)
      left join ${histogram("queued", "faceted", "facet, key")} as queued using (facet, key)`,
};

const valuesOf = ({ minutes, fromMs, untilMs, pointMs, workflows, without }: FlowAsked) => [
  ...[minutes, fromMs, untilMs, pointMs],
  ...[workflows, without],
];

export const selectFlow = (db: Db, asked: FlowAsked) => db.query<FlowRow>(flowStatement, valuesOf(asked));

export interface StepFlowRow {
  step: string;
  /** Null: all of them. */
  version: number | null;
  executions: number;
  failures: number;
  retries: number;
  took: [bucket: number, count: number][];
}

/** A limit; a workflow has no more current names than that (MAX_STEP_NAMES), but may have old ones. */
const MAX_STEPS = 300;

const stepsStatement: Statement = {
  name: "flow-of-steps",
  text: `
    with rows as (
      select * from handrail.step_rollup
      where workflow = $1 and minutes = $2::smallint and at >= to_timestamp($3::float8 / 1000) and at < to_timestamp($4::float8 / 1000)
    ), counts as (
      select step, version, sum(executions)::int as executions, sum(failures)::int as failures, sum(retries)::int as retries
      from rows group by grouping sets ((step), (step, version))
    ), took as (
      select step, version, json_agg(json_build_array(bucket, count)) as took from (
        select step, version, bucket, sum(count)::int as count
        from rows cross join lateral unnest(took_buckets, took_counts) as held (bucket, count)
        group by grouping sets ((step, bucket), (step, version, bucket))
      ) as merged group by step, version
    )
    select counts.*, coalesce(took.took, '[]') as took
    from counts left join took on took.step = counts.step and took.version is not distinct from counts.version
    order by executions desc limit $5::int`,
};

export function selectStepFlow(db: Db, workflow: string, asked: FlowAsked): Promise<StepFlowRow[]> {
  const { minutes, fromMs, untilMs } = asked;
  return db.query<StepFlowRow>(stepsStatement, [workflow, minutes, fromMs, untilMs, MAX_STEPS * 4]);
}

interface CountedRow {
  /** The database's clock. */
  now: Date;
  /** When the counts of this width begin; null without any. */
  since: RowInstant | null;
  /** Everything that ended before is counted; null before the first fold. */
  until: RowInstant | null;
  /** An open transaction has written a run and delays the count. */
  held: boolean;
}

/**
 * Times without a run have no row: that counting had begun shows in the level that keeps its rows the longest, for as long as this level keeps
 * its own. While earlier runs are still being counted, the count has reached the last of them.
 */
const countedStatement: Statement = {
  name: "counted-until",
  text: `
    select clock_timestamp() as now,
      least((select at from handrail.run_rollup where minutes = $1::smallint order by at limit 1),
        (select greatest(at + interval '6 hours', clock_timestamp() - $2::float8 * interval '1 ms')
          from handrail.run_rollup where minutes = 360 order by at limit 1)) as since,
      case when settled_at = '-infinity' then null
        when exists (select from handrail.run where finished_at > ended_at and finished_at < settled_at - interval '1 minute')
          then nullif(ended_at, '-infinity')
        else settled_at end as until,
      mark_at is not null as held
    from handrail.rollup_fold`,
};

export async function selectCounted(db: Db, minutes: RollupMinutes): Promise<CountedRow> {
  const keptMs = ROLLUP_LEVELS.find((level) => level.minutes === minutes)?.keptMs;
  const [row] = await db.query<CountedRow>(countedStatement, [minutes, keptMs]);
  return row ?? { now: new Date(), since: null, until: null, held: false };
}

const titlesStatement: Statement = {
  name: "titles-of-workflows",
  text: `select distinct on (name) name, title from handrail.workflow order by name, version desc`,
};

/** From the newest version of each. */
export const selectTitles = (db: Db) => db.query<{ name: string; title: string }>(titlesStatement, []);
