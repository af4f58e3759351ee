/*
 * Parts of the statement that reads one run, so that a run and its children are of one snapshot. Both are bounded: counting
 * stops at `cap`, and a failure is followed twenty generations down.
 */

/** Children by status, as JSON; the sum exceeds `cap` when there are more. */
export const childCounts = (cap: `$${number}`) => `
      (select coalesce(json_object_agg(status, children), '{}') from (
        select status, count(*)::int as children
        from (select status from handrail.run as child where child.parent_run_id = run.id limit ${cap}::int + 1) as counted
        group by status) as by_status)`;

/** A failed run's failed step may have been a child's run, whose failed step may have been one: the last of them is the cause. */
export const ROOT_CAUSE = `
      (with recursive cause as (
        select first.id, 1 as depth from (
          (select step.reference::uuid as id from handrail.step
          where step.run_id = run.id and step.name = run.failed_step and step.kind = 'child' and step.superseded_by is null)
          union all
          (select child.id from handrail.run as child
          where run.waiting_kind = 'child' and child.parent_run_id = run.id and child.status = 'failed' order by child.id limit 1)
        ) as first
        union all
        select step.reference::uuid, cause.depth + 1 from cause
        join handrail.run as failed on failed.id = cause.id
        join handrail.step on step.run_id = failed.id and step.name = failed.failed_step and step.kind = 'child'
          and step.superseded_by is null
        where cause.depth < 20
      )
      select json_build_object('id', failed.id, 'workflow', failed.workflow, 'status', failed.status,
        'failed_step', failed.failed_step, 'error', failed.error)
      from cause join handrail.run as failed on failed.id = cause.id
      order by cause.depth desc limit 1)`;

export interface RootCauseRow {
  id: string;
  workflow: string;
  status: string;
  failed_step: string | null;
  /** JSON text. */
  error: string | null;
}
