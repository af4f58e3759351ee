import { ATTENTIONS, type Attention } from "../../engine/runs/run";
import { isReserved } from "../../engine/workflows/own-workflows";
import type { Db, Statement } from "../db";
import { needsAttention, OPEN_COMPENSATIONS } from "../runs/attention";
import { firstReady, firstTimers, NEW } from "../workers/fitting-runs";
import { histogram, SUMS } from "./flow";

/* What /metrics shows. Each statement reads a bounded number of rows, however many runs there are. */

export interface MeteredWorkflow {
  name: string;
  /** Its steps are not shown by name: a name that is made from data could hold what is masked. */
  masked: boolean;
}

const workflowsStatement: Statement = {
  name: "metered-workflows",
  text: `
    select name, bool_or(masked <> '{}') as masked from handrail.workflow
    where $1::text[] is null or name = any ($1::text[])
    group by name order by min(registered_at), name limit $2::int`,
};

/** In the order in which they were first registered, so that a new one displaces none. @param only null: all of them */
export async function listMeteredWorkflows(db: Db, only: readonly string[] | null, limit: number) {
  const rows = await db.query<MeteredWorkflow>(workflowsStatement, [only, limit]);
  return rows.filter(({ name }) => !isReserved(name));
}

export interface RunTotals {
  workflow: string;
  started: number;
  completed: number;
  failed: number;
  cancelled: number;
  compensated: number;
  retries: number;
  took: [bucket: number, count: number][];
  queued: [bucket: number, count: number][];
}

/** Counts of six hours are kept for more than a year: within the month, none is deleted and a total never falls. */
const THIS_MONTH = "date_trunc('month', clock_timestamp() at time zone 'UTC') at time zone 'UTC'";
const PERIODS = `generate_series((select ${THIS_MONTH}), (select clock_timestamp()), interval '6 hours') as period (at)`;

/** Six hours at a time, each a step along the key of the counts: at most 124 for a workflow. */
const totalsStatement: Statement = {
  name: "metered-run-totals",
  text: `
    with rows as materialized (
      select held.* from unnest($1::text[]) as named (workflow) cross join ${PERIODS}
      join handrail.run_rollup as held on held.minutes = 360 and held.at = period.at and held.workflow = named.workflow
    ), counts as (
      select workflow, ${SUMS.map((sum) => `sum(${sum})::float8 as ${sum}`).join(", ")} from rows group by workflow
    )
    select counts.*, coalesce(took, '[]') as took, coalesce(queued, '[]') as queued
    from counts left join ${histogram("took", "rows", "workflow")} as took using (workflow)
      left join ${histogram("queued", "rows", "workflow")} as queued using (workflow)`,
};

/** What was counted since the beginning of this month (UTC). */
export const selectRunTotals = (db: Db, workflows: readonly string[]) =>
  db.query<RunTotals>(totalsStatement, [workflows]);

export interface StepTotals {
  workflow: string;
  step: string;
  executions: number;
  failures: number;
  retries: number;
  took: [bucket: number, count: number][];
}

const stepTotalsStatement: Statement = {
  name: "metered-step-totals",
  text: `
    with rows as materialized (
      select held.* from (
        select workflow, step from handrail.rollup_step where workflow = any ($1::text[])
        order by array_position($1::text[], workflow), step limit $2::int
      ) as named
      join handrail.step_rollup as held on held.workflow = named.workflow and held.minutes = 360
        and held.at >= (select ${THIS_MONTH}) and held.step = named.step
    ), counts as (
      select workflow, step, sum(executions)::float8 as executions, sum(failures)::float8 as failures, sum(retries)::float8 as retries
      from rows group by workflow, step
    )
    select counts.*, coalesce(took, '[]') as took
    from counts left join ${histogram("took", "rows", "workflow, step")} as took using (workflow, step)`,
};

/** The same by step, of the first `limit` names. */
export const selectStepTotals = (db: Db, workflows: readonly string[], limit: number) =>
  db.query<StepTotals>(stepTotalsStatement, [workflows, limit]);

export interface Backlog {
  workflow: string;
  /** Ready to begin outside of limits' queues, and waiting for a turn within them. */
  ready: number;
  queued: number;
  /** Of the first of those that are ready; null without one. */
  oldestSeconds: number | null;
}

/** Null without an instant. */
const seconds = (since: string) =>
  `case when ${since} is not null then greatest(extract(epoch from (select clock_timestamp()) - ${since})::float8, 0) end`;

const backlogStatement: Statement = {
  name: "metered-backlog",
  text: `
    select named.workflow,
      (select count(*)::int from (select from handrail.run where run.workflow = named.workflow and queue_key is null
        and status = 'pending' and due_at is null and started_at is null limit $2::int) as ready) as ready,
      (select count(*)::int from (select from handrail.run where run.workflow = named.workflow and queue_key is not null
        and status = 'pending' and due_at is null and started_at is null limit $2::int) as queued) as queued,
      (select ${seconds("min(head.since)")} from (
        select since from ${firstReady("named.workflow", "run.created_at as since", "100")} as ready
        union all
        select due_at from ${firstTimers(NEW, "named.workflow", "run.due_at <= (select clock_timestamp())", "1")} as delayed
      ) as head) as "oldestSeconds"
    from unnest($1::text[]) as named (workflow)`,
};

/** @param most counts stop there */
export const selectBacklog = (db: Db, workflows: readonly string[], most: number) =>
  db.query<Backlog>(backlogStatement, [workflows, most]);

export interface AttentionGauge {
  attention: Attention;
  runs: number;
  /** Since the one that ended or waits longest did so. */
  oldestSeconds: number | null;
}

const attentionStatement: Statement = {
  name: "metered-attention",
  text: ATTENTIONS.map(
    (attention) => `
    select '${attention}' as attention, count(*)::int as runs, ${seconds("min(coalesce(finished_at, waiting_since, created_at))")} as "oldestSeconds"
    from (select finished_at, waiting_since, created_at from handrail.run
      where ${needsAttention("run", `'${attention}'`)} order by id limit $1::int) as held`,
  ).join("\n    union all"),
};

/** @param most so many of each are looked at, oldest first */
export const selectAttention = (db: Db, most: number) => db.query<AttentionGauge>(attentionStatement, [most]);

/** Of the whole installation, null where nothing is late or open. */
export interface SystemGauges {
  workersLive: number;
  workersStopping: number;
  workersLost: number;
  slots: number;
  slotsUsed: number;
  heartbeatAgeSeconds: number | null;
  compensationsOpen: number;
  compensationOldestSeconds: number | null;
  noticesWaiting: number;
  noticeOldestSeconds: number | null;
  /** Within the last hour, as lost claims. */
  deliveriesFailed: number;
  scheduleLateSeconds: number | null;
  intakesClosed: number;
  lostClaims: number;
  countedUntilSeconds: number | null;
}

const systemStatement: Statement = {
  name: "metered-system",
  text: `
    with present as (
      select *, lease_expires_at > clock_timestamp() as live from handrail.worker where stopped_at is null
    ), open_compensation as (
      select owed_at from handrail.compensation where ${OPEN_COMPENSATIONS} order by owed_at limit $1::int
    )
    select
      (select count(*)::int from present where live and stopping_at is null) as "workersLive",
      (select count(*)::int from present where live and stopping_at is not null) as "workersStopping",
      (select count(*)::int from present where not live) as "workersLost",
      (select coalesce(sum(concurrency), 0)::int from present where live and stopping_at is null) as slots,
      (select coalesce(sum(running), 0)::int from present where live) as "slotsUsed",
      (select ${seconds("min(heartbeat_at)")} from present where live) as "heartbeatAgeSeconds",
      (select count(*)::int from open_compensation) as "compensationsOpen",
      (select ${seconds("min(owed_at)")} from open_compensation) as "compensationOldestSeconds",
      (select count(*)::int from (select from handrail.notice where due_at <= clock_timestamp() limit $1::int) as due) as "noticesWaiting",
      (select ${seconds("due_at")} from handrail.notice where due_at <= (select clock_timestamp()) order by due_at, seq limit 1) as "noticeOldestSeconds",
      (select count(*)::int from (select from handrail.delivery where finished_at > (select clock_timestamp() - interval '1 hour')
        and status = 'failed' limit $1::int) as failed) as "deliveriesFailed",
      (select ${seconds("look_at")} from handrail.schedule where look_at <= (select clock_timestamp()) order by look_at limit 1) as "scheduleLateSeconds",
      (select count(*)::int from handrail.closed_intake) as "intakesClosed",
      (select count(*)::int from (select from handrail.lost_claim
        where lost_at > (select clock_timestamp() - interval '1 hour') limit $1::int) as lost) as "lostClaims",
      (select extract(epoch from nullif(settled_at, '-infinity'))::float8 from handrail.rollup_fold) as "countedUntilSeconds"`,
};

/** @param most counts stop there */
export async function selectSystemGauges(db: Db, most: number): Promise<SystemGauges> {
  const [row] = await db.query<SystemGauges>(systemStatement, [most]);
  if (!row) throw new Error("The gauges gave no row.");
  return row;
}
