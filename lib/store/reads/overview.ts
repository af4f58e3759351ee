import type { Attention } from "../../engine/runs/run";
import { cappedStatement, type Db, type Statement } from "../db";
import { shownRun } from "../payloads";
import type { ClosedIntakeRow } from "../queues/intake";
import type { RowInstant } from "../rows";
import { needsAttention, OPEN_COMPENSATIONS } from "../runs/attention";
import { BEGUN, firstTimers, NEW, oldestReady } from "../workers/fitting-runs";
import { type ListedRunRow, listedRuns } from "./run-list";

interface OverviewRow {
  open_compensations: number;
  /** Plans that wait for a second approver. */
  plan_approvals: number;
  workers_live: number;
  workers_lost: number;
  running: number;
  concurrency: number;
  oldest_pending_ms: number | null;
  next_due_at: RowInstant | null;
  lost_claims_last_hour: number;
  closed_intakes: (ClosedIntakeRow & { workflow: string; title: string; waiting: number })[];
}

/** The title in its newest version, or its name if no version is registered. */
const TITLE_OF = (workflow: string) =>
  `coalesce((select title from handrail.workflow as known where known.name = ${workflow} order by version desc limit 1), ${workflow})`;

/** Runs of a workflow that have not begun and could; counting stops at `$1`. */
const waitingOf = (workflow: string) => `(select count(*)::int from (
          (select from handrail.run where run.workflow = ${workflow} and queue_key is null
            and status = 'pending' and due_at is null and started_at is null limit $1::int)
          union all
          (select from handrail.run where run.workflow = ${workflow} and queue_key is not null
            and status = 'pending' and due_at is null and started_at is null limit $1::int)
          limit $1::int) as waiting)`;

/**
 * Each number stops at a limit or walks the head of an index. The oldest pending run is read at the head of every
 * workflow's queue, for each priority, among those that never started: a rerun's age says nothing about its wait, a run
 * in a limited queue waits for its turn, not for a worker, and a run held by a closed intake waits for an operator. The
 * clock is read once, in a sub-select: only then can the index of timers be searched with it.
 */
const overviewStatement = cappedStatement(
  "overview",
  `
    with present as (
      select *, lease_expires_at > clock_timestamp() as live from handrail.worker where stopped_at is null
    ), workflow as (
      select distinct name from handrail.workflow
    ), open_workflow as (
      select name from workflow where not exists (select from handrail.closed_intake as closed where closed.workflow = name)
    ), waiting_since as (
      select head.since
      from open_workflow as workflow
      cross join lateral ${oldestReady("workflow.name")} as head
      union all
      select head.due_at
      from open_workflow as workflow
      cross join lateral ${firstTimers(NEW, "workflow.name", "run.due_at <= (select clock_timestamp())", "1")} as head
    ), next_due as (
      select min(head.due_at) as at
      from workflow
      cross join lateral (
        ${firstTimers(NEW, "workflow.name", "run.due_at > (select clock_timestamp())", "1")}
        union all
        ${firstTimers(BEGUN, "workflow.name", "run.due_at > (select clock_timestamp())", "1")}
        union all
        (select due_at from handrail.run
        where run.workflow = workflow.name and queue_key is not null and due_at > (select clock_timestamp())
        order by due_at limit 1)
      ) as head
    )
    select
      (select count(*)::int from (select from handrail.compensation
        where ${OPEN_COMPENSATIONS} limit $1::int) as open) as open_compensations,
      (select count(*)::int from (select from handrail.plan_approval
        where status = 'open' and expires_at > (select clock_timestamp()) limit $1::int) as open) as plan_approvals,
      (select count(*)::int from present where live) as workers_live,
      (select count(*)::int from present where not live) as workers_lost,
      (select coalesce(sum(running), 0)::int from present where live) as running,
      (select coalesce(sum(concurrency), 0)::int from present where live and stopping_at is null) as concurrency,
      (select extract(epoch from clock_timestamp() - min(since))::float8 * 1000 from waiting_since) as oldest_pending_ms,
      (select at from next_due) as next_due_at,
      (select coalesce(json_agg(closed order by closed_at desc), '[]') from (
        select closed.*, ${TITLE_OF("closed.workflow")} as title, ${waitingOf("closed.workflow")} as waiting
        from handrail.closed_intake as closed) as closed) as closed_intakes,
      (select count(*)::int from (select from handrail.lost_claim
        where lost_at > (select clock_timestamp() - interval '1 hour') limit $1::int) as lost) as lost_claims_last_hour`,
);

export async function selectOverview(db: Db, cap: number): Promise<OverviewRow> {
  const [row] = await db.query<OverviewRow>(overviewStatement(cap), []);
  if (!row) throw new Error("The overview gave no row.");
  return row;
}

/** An unknown outcome is worse than an open compensation, and that is worse than a clean failure. */
const WORST_FIRST = ["outcome_unknown", "compensation_owed", "failed", "approval"] as const satisfies Attention[];

const MAX_LISTED = 20;
/** The first of each kind are read, so that an outage does not hide the one approval that waits for an answer. */
const FIRST_OF_EACH = 5;

const needingAPersonStatement: Statement = {
  name: "runs-needing-a-person",
  text: `
    with worst as (
      select * from (
        ${WORST_FIRST.map(
          (attention, rank) =>
            `(select id, ${rank} as rank, row_number() over (order by id desc) as place
          from handrail.run where ${needsAttention("run", `'${attention}'`)} order by id desc limit ${MAX_LISTED})`,
        ).join("\n        union all ")}
      ) as each_kind
      order by place > ${FIRST_OF_EACH}, rank, id desc limit ${MAX_LISTED}
    )
    ${listedRuns("worst")}
    order by worst.rank, run.id desc`,
};

/** The runs that need attention, worst first and newest first within, 20 at most. */
export async function listRunsNeedingAPerson(db: Db): Promise<ListedRunRow[]> {
  return (await db.query<ListedRunRow>(needingAPersonStatement, [])).map(shownRun);
}
