import type { FourEyesAct } from "../../engine/operations/four-eyes";
import type { DeclaredLimits, LiveLimits } from "../../engine/queues/queue";
import type { Db, Statement } from "../db";
import { CLOSED_INTAKE, type ClosedIntakeRow } from "../queues/intake";
import { liveLimits } from "../queues/queue-limits";
import type { Json, RowInstant } from "../rows";
import { waitingRuns } from "./waiting-runs";

export interface WorkflowRow {
  name: string;
  version: number;
  title: string;
  input_schema: Json;
  /** Null for a TypeScript workflow. */
  language: string | null;
  /** The event that starts a run of it. */
  on: string | null;
  /** Fields of the payload that its filter compares. */
  on_fields: string[];
  seen_at: RowInstant;
  /** Live workers that have it. */
  workers: number;
  /** Live workers that have this exact version. */
  version_workers: number;
  /** Actions that need a second operator. */
  four_eyes: FourEyesAct[];
  limits: DeclaredLimits | null;
  live_limits: (LiveLimits & { setBy: string; setAt: RowInstant }) | null;
  /** Null unless new runs are paused. */
  closed_intake: ClosedIntakeRow | null;
  /** Runs of any version that a worker holds. */
  running: number;
  /** Runs of any version that can be claimed; counting stops at 1,000. */
  backlog: number;
}

/**
 * Versions that a worker ever registered, by name and newest version first; 500 at most. Beyond that, older versions are left out
 * first, then workflows at the end of the alphabet. Held runs are counted once for all, from the index of owners; those that can be
 * claimed along the heads of the indexes that claims walk.
 */
const workflowsStatement: Statement = {
  name: "workflows",
  text: `
    with ranked as (
      select name, version, row_number() over (partition by name order by version desc) as place
      from handrail.workflow where $3::text[] is null or name = any ($3)
    ), chosen as (
      select name, version from ranked order by place, name limit $1::int
    ), running as (
      select workflow, count(*)::int as count from handrail.run where worker_id is not null group by workflow
    )
    select workflow.name, version, title, input_schema, definition ->> 'language' as language, seen_at, limits, four_eyes,
      (select event from handrail.subscription where subscription.workflow = workflow.name) as "on",
      array(select distinct array_to_string(array(select jsonb_array_elements_text(clause -> 'path')), '.')
        from handrail.subscription, jsonb_array_elements(filter) as clause
        where subscription.workflow = workflow.name order by 1) as on_fields,
      (select count(*)::int from handrail.worker
        where stopped_at is null and stopping_at is null and lease_expires_at > clock_timestamp()
          and workflow.name = any (worker.workflows)) as workers,
      (select count(*)::int from handrail.worker
        where stopped_at is null and stopping_at is null and lease_expires_at > clock_timestamp()
          and worker.versions -> workflow.name @> to_jsonb(workflow.version)) as version_workers,
      (select ${liveLimits(", 'setBy', set_by, 'setAt', set_at")}
        from handrail.queue_limit where queue_limit.workflow = workflow.name) as live_limits,
      ${CLOSED_INTAKE("workflow.name")} as closed_intake,
      coalesce(running.count, 0) as running, backlog.count as backlog
    from chosen join handrail.workflow using (name, version)
    left join running on running.workflow = workflow.name
    cross join lateral (
      select count(*)::int as count from (
        ${waitingRuns("workflow.name", "$2")}
        limit $2::int
      ) as waiting
    ) as backlog
    order by workflow.name, version desc`,
};

const MAX_VERSIONS = 500;
const MAX_BACKLOG = 1_000;

/** @param workflows their names; null: all */
export function listWorkflows(db: Db, workflows: readonly string[] | null) {
  return db.query<WorkflowRow>(workflowsStatement, [MAX_VERSIONS, MAX_BACKLOG, workflows]);
}
