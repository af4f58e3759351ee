import type { RunStatus } from "../../engine/runs/run";
import { namedRun, type RunNaming } from "./run-naming";

/*
 * Parts of the statement that reads one run, so that a run, its children and its ancestors are of one snapshot. All are
 * bounded: counting stops at `cap`, and ancestors are followed at most `MOST_LEVELS` up.
 */

/** Levels of a tree that are read, up or down, from one run. */
export const MOST_LEVELS = 50;

/** Statuses without a run are missing. */
export type StatusCounts = Partial<Record<RunStatus, number>>;

/** Children by status, as JSON; the sum exceeds `cap` when there are more. */
export const childCounts = (cap: `$${number}`) => `
      (select coalesce(json_object_agg(status, children), '{}') from (
        select status, count(*)::int as children
        from (select status from handrail.run as child where child.parent_run_id = run.id
          order by child.id limit ${cap}::int + 1) as counted
        group by status) as by_status)`;

export interface AncestorRow {
  id: string;
  /** Null in the root of the tree; the first ancestor listed has one, too, if the tree is too deep to be read whole. */
  parent_run_id: string | null;
  workflow: string;
  named: RunNaming;
  status: RunStatus;
  /** The step of its parent that started it. */
  parent_step: string | null;
}

/** From the root down to the run's parent, as JSON. */
export const ANCESTORS = `
      (with recursive up as (
        select parent.id, parent.parent_run_id, parent.workflow, ${namedRun("parent")} as named, parent.status, parent.parent_step, 1 as height
        from handrail.run as parent where parent.id = run.parent_run_id
        union all
        select parent.id, parent.parent_run_id, parent.workflow, ${namedRun("parent")}, parent.status, parent.parent_step, up.height + 1
        from up join handrail.run as parent on parent.id = up.parent_run_id
        where up.height < ${MOST_LEVELS}
      )
      select coalesce(json_agg(up order by height desc), '[]') from up)`;
