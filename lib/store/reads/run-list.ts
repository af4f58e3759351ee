import type { Db, Statement } from "../db";
import { shownRun } from "../payloads";
import { CLOSED_INTAKE, type ClosedIntakeRow } from "../queues/intake";
import type { CompensationRow, ProgressRow, RunRow, StepRow } from "../rows";
import { WORKER_AVAILABLE } from "../workflows/versions";

/** Errors of steps that are not done. */
type ListedStepRow = Pick<StepRow, "name" | "status" | "attempt" | "max_attempts" | "failures" | "position" | "error">;

type ListedCompensationRow = Pick<CompensationRow, "step" | "mode" | "status" | "by" | "assignee" | "error">;

export interface ListedRunRow extends RunRow {
  title: string;
  worker_available: boolean;
  closed_intake: ClosedIntakeRow | null;
  progress: ProgressRow | null;
  /** The worker that owns it. */
  worker_name: string | null;
  step_count: number;
  done_count: number;
  last_done: string | null;
  skipped_count: number;
  last_position: number | null;
  /** Current steps in order: the first 12 that are done, and the first 12 that are not. */
  steps: ListedStepRow[];
  /** In the order of compensation. */
  compensations: ListedCompensationRow[];
}

/** Lists leave out longer values, and report that: the size of a page must not depend on its inputs. */
export const MAX_LISTED_BYTES = 16_384;

const listed = (column: string) => `case when octet_length(run.${column}) <= ${MAX_LISTED_BYTES} then run.${column}
        else '{"$type":"clipped","bytes":' || octet_length(run.${column}) || '}' end as ${column}`;

const firstSteps = (
  which: string,
) => `(select name, status, attempt, max_attempts, failures, position, error from current_step
            where ${which} order by position limit 12)`;

/** The list's columns for the runs whose ids the table `ids` holds. */
export const listedRuns = (ids: string) => `
    select run.id, run.workflow, run.version, run.chosen_version, run.code_version, run.status, run.epoch, run.worker_id, run.revision, run.generation,
      run.priority, run.due_at, run.cancel_requested_at, run.pause_requested_at, run.pause_root, run.waiting_kind, run.waiting_step, run.waiting_since,
      run.attention, run.failed_step, run.error, run.tags, run.run_title, run.idempotency_key, run.parent_run_id, run.parent_step, run.queue_key,
      run.created_at, run.started_at, run.finished_at,
      ${listed("input")},
      ${listed("output")},
      coalesce(workflow.title, run.workflow) as title,
      ${WORKER_AVAILABLE} as worker_available,
      ${CLOSED_INTAKE("run.workflow")} as closed_intake,
      (select name from handrail.worker where id = run.worker_id) as worker_name,
      (select to_json(progress) from handrail.progress where run_id = run.id) as progress,
      step.*, compensation.*
    from ${ids} join handrail.run on run.id = ${ids}.id
    left join handrail.workflow on workflow.name = run.workflow and workflow.version = run.version
    cross join lateral (
      -- Read once, without outputs, and not sorted: a run may have thousands.
      with current_step as materialized (
        select name, status, attempt, max_attempts, failures, position, finished_position,
          case when status not in ('completed', 'skipped') then error end as error
        from handrail.step where run_id = run.id and superseded_by is null
      )
      select count(*)::int as step_count,
        count(*) filter (where status = 'completed')::int as done_count,
        (select name from current_step where status = 'completed' order by finished_position desc limit 1) as last_done,
        count(*) filter (where status = 'skipped')::int as skipped_count,
        max(position) as last_position,
        (select coalesce(json_agg(few order by position), '[]') from (
          ${firstSteps("status in ('completed', 'skipped')")} union all ${firstSteps("status not in ('completed', 'skipped')")}
        ) as few) as steps
      from current_step
    ) as step
    cross join lateral (
      select coalesce(json_agg(json_build_object('step', step, 'mode', mode, 'status', status, 'by', "by", 'assignee', assignee,
        'error', error) order by position desc), '[]') as compensations
      from (select * from handrail.compensation where run_id = run.id order by position desc limit 50) as latest
    ) as compensation`;

const statement: Statement = {
  name: "list-runs",
  text: `
    with page as (select * from unnest($1::uuid[]) with ordinality as given (id, place))
    ${listedRuns("page")}
    order by page.place`,
};

/** The runs of these ids, in their order; runs deleted meanwhile are left out. */
export const listRuns = async (db: Db, ids: readonly string[]) =>
  ids.length === 0 ? [] : (await db.query<ListedRunRow>(statement, [ids])).map(shownRun);
