import type { Attention, RunStatus } from "../../engine/runs/run";
import { MOST_LEVELS } from "./family";

/** Children that have children, read of one run at most. */
const MOST_BRANCHES = 1_000;
/** Runs read in all. */
const MOST_RUNS = 2_000;

// One index lookup for each run, and not a join that might read a whole table: hence scalar sub-selects.
const awaited = (child: string) => `(select true from handrail.step
            where step.run_id = way.id and step.name = ${child}.parent_step and step.kind = 'child'
              and step.status = 'waiting' and step.superseded_by is null limit 1)`;

const columns = (run: string) => `${run}.id, ${run}.status, ${run}.attention, ${run}.failed_step, ${run}.finished_at`;

export interface RootCauseRow {
  id: string;
  workflow: string;
  status: RunStatus;
  attention: Attention | null;
  failed_step: string | null;
  waiting_step: string | null;
  /** JSON text. */
  error: string | null;
  /** From the run's child down to this one. */
  way: { id: string; workflow: string; parent_step: string }[];
}

/** Null in `cause`: none was found; `capped`: not everything was read. */
export interface RootCauseSearch {
  cause: RootCauseRow | null;
  capped: boolean;
}

/**
 * The cause of a run's failure or wait may be in a run below it: a failed step may be a child run, with a failed step
 * that is one in turn; a run that waits for a child waits for whatever that one waits for. Level by level, among
 * awaited runs: first the children that need attention or are paused, then those that wait for children. Failed runs
 * precede stuck ones, and of these the deepest one counts.
 */
export const ROOT_CAUSE = `
      (with recursive way as (
        select ${columns("run")}, false as brought_down, 0 as depth, array[]::uuid[] as ids
        union all
        select next.*, way.depth + 1, way.ids || next.id
        from way cross join lateral (
          (select ${columns("child")}, true
          from handrail.step join handrail.run as child on child.id = step.reference::uuid
          where step.run_id = way.id and step.name = way.failed_step and step.kind = 'child' and step.superseded_by is null)
          union all
          (select ${columns("child")}, false from handrail.run as child
          where way.finished_at is null and child.parent_run_id = way.id
            and (child.attention is not null or child.status = 'paused') and ${awaited("child")}
          order by child.id limit 20)
          union all
          (select ${columns("child")}, false from handrail.run as child
          where way.finished_at is null and child.parent_run_id = way.id and child.finished_at is null
            and child.attention is null and child.status <> 'paused' and ${awaited("child")}
            and (select true from handrail.run as grandchild where grandchild.parent_run_id = child.id
              order by grandchild.id limit 1)
          order by child.id limit ${MOST_BRANCHES})
        ) as next
        where way.depth < ${MOST_LEVELS}
      ), seen as materialized (select * from way limit ${MOST_RUNS})
      select json_build_object('capped', (select count(*) = ${MOST_RUNS} or max(depth) = ${MOST_LEVELS} from seen), 'cause', (
        select json_build_object('id', cause.id, 'workflow', cause.workflow, 'status', cause.status,
          'attention', cause.attention, 'failed_step', cause.failed_step, 'waiting_step', cause.waiting_step,
          'error', cause.error, 'way', (
            select json_agg(json_build_object('id', passed.id, 'workflow', passed.workflow,
              'parent_step', passed.parent_step) order by place)
            from unnest(found.ids) with ordinality as on_way (id, place) join handrail.run as passed using (id)))
        from (select * from seen
          where depth > 0 and (attention is not null or status = 'paused' or brought_down and status in ('cancelled', 'compensated'))
          order by status = 'failed' desc, depth desc, id limit 1) as found
        join handrail.run as cause on cause.id = found.id)))`;
