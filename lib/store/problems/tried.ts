import type { OperatorAct } from "../../engine/runs/operator-acts";
import type { Db, Statement } from "../db";
import { namedRun, type RunNaming } from "../reads/run-naming";
import type { RowInstant } from "../rows";

/** What a person did to runs of a problem: to one, or to many by one plan. */
export interface TriedRow {
  /** Of the newest row of the audit log. */
  id: number;
  at: RowInstant;
  actor: string;
  act: OperatorAct;
  step: string | null;
  reason: string;
  /** Runs that have the problem, or had it last. */
  runs: number;
  /** Of these, runs that do not have it now. */
  left: number;
  /** Of these, runs that got it again since. */
  again: number;
  /** The run, where it is one. */
  run_id: string | null;
  named: RunNaming | null;
  /** Null for an action without a plan, or on one run. */
  operation_id: string | null;
}

/** Newest rows of the workflow's audit log that are read, of those since the problem began. */
export const ACTIONS_LOOKED_AT = 2_000;

/**
 * Reruns of probes are left out: a probe lists them itself. The workflow is a range of one, which only the index of a workflow's rows has in
 * order: for few of them, the planner would read the whole audit log backwards.
 */
export const triedStatement: Statement = {
  name: "tried-on-problem",
  text: `
    with acted as (
      select audit.* from (
        select id, at, actor, act, step, reason, run_id, plan_id, result from handrail.audit
        where workflow >= (select workflow from handrail.problem where id = $1::uuid)
          and workflow <= (select workflow from handrail.problem where id = $1::uuid)
          and id >= (select id from handrail.audit where at >= (select first_at from handrail.problem where id = $1::uuid)
            order by at, id limit 1)
        order by workflow desc, id desc limit ${ACTIONS_LOOKED_AT}
      ) as audit
      where result = 'done' and run_id is not null and act = any ($2::text[])
    ), grouped as (
      select max(acted.id) as id, max(acted.at) as at, min(actor) as actor, min(act) as act, min(step) as step, min(reason) as reason, plan_id,
        count(*)::int as runs, count(*) filter (where left_at is not null)::int as "left",
        count(*) filter (where left_at is null and since > acted.at)::int as again,
        case when count(*) = 1 then min(acted.run_id::text)::uuid end as run_id
      from acted join handrail.problem_run as held on held.run_id = acted.run_id and held.problem_id = $1::uuid
      where acted.act <> 'rerun' or not exists (
        select from handrail.probe join handrail.probe_try as tried on tried.probe_id = probe.id
        where probe.problem_id = $1::uuid and tried.run_id = acted.run_id and tried.at <= acted.at
          and acted.reason = 'Probe ' || tried.number || ': ' || probe.reason)
      group by plan_id, case when plan_id is null then acted.id end
      order by 1 desc limit $3::int
    )
    select grouped.id, grouped.at, actor, grouped.act, step, grouped.reason, runs, "left", again, grouped.run_id::text,
      ${namedRun("run")} as named, case when operation.total > 1 then operation.id::text end as operation_id
    from grouped
    left join handrail.operation on operation.plan_id = grouped.plan_id
    left join handrail.run on run.id = grouped.run_id
    order by grouped.id desc`,
};

/** Newest first. */
export const listTried = (
  db: Db,
  problemId: string,
  acts: readonly OperatorAct[],
  limit: number,
): Promise<TriedRow[]> => db.query<TriedRow>(triedStatement, [problemId, acts, limit]);
