import { ATTENTIONS, type Attention } from "../../engine/runs/run";
import { isReserved } from "../../engine/workflows/own-workflows";
import { heldUpByStore } from "../blobs/blob-waits";
import type { Db, Statement } from "../db";
import { needsAttention, OPEN_COMPENSATIONS } from "../runs/attention";
import { firstTimers, NEW, oldestReady } from "../workers/fitting-runs";
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

/**
 * Counts of six hours are kept for more than a year: within the month, none is deleted and a total never falls. Those before
 * `settledAt` change no more, unless something is counted late: an hour after such a period, nearly everything is.
 */
export interface MeteredPeriods {
  monthAt: string;
  settledAt: string;
  nowAt: string;
}

const periodsStatement: Statement = {
  name: "metered-periods",
  text: `
    select month::text as "monthAt", greatest(month, settled)::text as "settledAt", now::text as "nowAt" from (
      select date_trunc('month', now at time zone 'UTC') at time zone 'UTC' as month, now,
        date_bin('6 hours', now - interval '1 hour', to_timestamp(0)) as settled
      from (select clock_timestamp() as now) as clock
    ) as this`,
};

export async function selectMeteredPeriods(db: Db): Promise<MeteredPeriods> {
  const [row] = await db.query<MeteredPeriods>(periodsStatement, []);
  return row as MeteredPeriods;
}

/** A part of the month: from the beginning of a period of six hours, and before another instant. */
export interface Part {
  fromAt: string;
  untilAt: string;
}

/** Six hours at a time, each a step along the key of the counts: at most 124 for a workflow. */
const totalsStatement: Statement = {
  name: "metered-run-totals",
  text: `
    with rows as materialized (
      select held.* from unnest($1::text[]) as named (workflow)
      cross join generate_series($2::timestamptz, $3::timestamptz - interval '1 us', interval '6 hours') as period (at)
      join handrail.run_rollup as held on held.minutes = 360 and held.at = period.at and held.workflow = named.workflow
    ), counts as (
      select workflow, ${SUMS.map((sum) => `sum(${sum})::float8 as ${sum}`).join(", ")} from rows group by workflow
    )
    select counts.*, coalesce(took, '[]') as took, coalesce(queued, '[]') as queued
    from counts left join ${histogram("took", "rows", "workflow")} as took using (workflow)
      left join ${histogram("queued", "rows", "workflow")} as queued using (workflow)`,
};

export const selectRunTotals = (db: Db, workflows: readonly string[], { fromAt, untilAt }: Part) =>
  db.query<RunTotals>(totalsStatement, [workflows, fromAt, untilAt]);

export interface MeteredStep {
  workflow: string;
  step: string;
}

const stepsStatement: Statement = {
  name: "metered-steps",
  text: `
    select workflow, step from unnest($1::text[]) with ordinality as named (workflow, place)
    join handrail.rollup_step using (workflow) order by place, step limit $2::int`,
};

/** The first `limit` names of steps, in the order of their workflows. */
export const listMeteredSteps = (db: Db, workflows: readonly string[], limit: number) =>
  db.query<MeteredStep>(stepsStatement, [workflows, limit]);

export interface StepTotals extends MeteredStep {
  executions: number;
  failures: number;
  retries: number;
  took: [bucket: number, count: number][];
}

const stepTotalsStatement: Statement = {
  name: "metered-step-totals",
  text: `
    with named as materialized (
      select * from unnest($1::text[], $2::text[]) as named (workflow, step)
    ), rows as materialized (
      select held.* from (select distinct workflow from named) as one
      join handrail.step_rollup as held on held.workflow = one.workflow and held.minutes = 360 and held.at >= $3::timestamptz
        and held.at < $4::timestamptz
      join named on named.workflow = held.workflow and named.step = held.step
    ), counts as (
      select workflow, step, sum(executions)::float8 as executions, sum(failures)::float8 as failures, sum(retries)::float8 as retries
      from rows group by workflow, step
    )
    select counts.*, coalesce(took, '[]') as took
    from counts left join ${histogram("took", "rows", "workflow, step")} as took using (workflow, step)`,
};

export const selectStepTotals = (db: Db, steps: readonly MeteredStep[], { fromAt, untilAt }: Part) =>
  db.query<StepTotals>(stepTotalsStatement, [
    steps.map(({ workflow }) => workflow),
    steps.map(({ step }) => step),
    ...[fromAt, untilAt],
  ]);

export interface Backlog {
  workflow: string;
  /** Ready to begin outside of limits' queues, and waiting for a turn within them. */
  ready: number;
  queued: number;
  /** Of the one that has been ready longest; null without one, and while new runs of the workflow are paused. */
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
      -- As the alert rule of it: runs that an operator holds are no backlog that grows old.
      (select ${seconds("min(head.since)")} from (
        select since from ${oldestReady("named.workflow")} as ready
        union all
        select due_at from ${firstTimers(NEW, "named.workflow", "run.due_at <= (select clock_timestamp())", "1")} as delayed
      ) as head where not exists (select from handrail.closed_intake as closed where closed.workflow = named.workflow)) as "oldestSeconds"
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

export interface WaitingGauge {
  reason: string;
  runs: number;
}

const waitingStatement: Statement = {
  name: "metered-waiting",
  text: `
    select waiting_kind as reason, count(*)::int as runs
    from (select waiting_kind from handrail.run where status = 'waiting' order by id limit $1::int) as waiting
    group by waiting_kind`,
};

/** @param most so many runs are looked at, oldest first */
export const selectWaiting = (db: Db, most: number) => db.query<WaitingGauge>(waitingStatement, [most]);

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
  blobStoreSeconds: number | null;
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
      (select count(*)::int from (select from handrail.notice where due_at <= (select clock_timestamp()) limit $1::int) as due) as "noticesWaiting",
      (select ${seconds("due_at")} from handrail.notice where due_at <= (select clock_timestamp()) order by due_at, seq limit 1) as "noticeOldestSeconds",
      (select count(*)::int from (select from handrail.delivery where finished_at > (select clock_timestamp() - interval '1 hour')
        and status = 'failed' limit $1::int) as failed) as "deliveriesFailed",
      (select ${seconds("look_at")} from handrail.schedule where look_at <= (select clock_timestamp()) order by look_at limit 1) as "scheduleLateSeconds",
      (select max(ms) / 1000 from ${heldUpByStore("$1::int")} as held_up) as "blobStoreSeconds",
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
