import type { CancelSplit } from "../../engine/operations/plan";
import { KINDS_WITH_EFFECT } from "../../engine/steps/step";
import type { Db, Statement } from "../db";

const hasHappened = (and = "") => `
      select true as found from handrail.step
      where step.run_id = below.id and step.superseded_by is null and step.status = 'completed' ${and}
        and (step.kind in (${KINDS_WITH_EFFECT.map((kind) => `'${kind}'`).join(", ")}) or step.kind = 'step' and step.effect <> 'pure')
      limit 1`;

// Rows of a run are asked for run by run: a join of these tables would be planned for the wrong sizes (decision 035).
// The descendants are those that a cancel ends with the run (lib/store/runs/cancel-children.ts), and those that have ended, but for
// what a compensation of the step that started them undoes. Of each, two steps answer.
const statement: Statement = {
  name: "effects-below",
  text: `
    with recursive below as (
      select id as root, id from handrail.run where id = any ($1::uuid[])
      union all
      select below.root, child.id from below cross join lateral (
        select id from handrail.run
        where parent_run_id = below.id and ends_with_parent and status not in ('compensating', 'compensated')
          and not (finished_at is not null and exists (select from handrail.step
            where step.run_id = below.id and step.name = run.parent_step and step.key_generation = run.parent_key_generation
              and step.superseded_by is null and step.status = 'completed' and step.compensation_mode is not null))
        offset 0
      ) as child
    )
    select root::text as "runId", bool_or(bare.found) is true as "pastUndoing"
    from below cross join lateral (${hasHappened()}) as effect
    left join lateral (${hasHappened("and step.compensation_mode is null")}) as bare on true
    where id <> root
    group by root`,
};

/** Of runs whose descendants have completed effects, and end with them or have ended: whether all of those have a compensation. */
export async function selectEffectsBelow(db: Db, runIds: readonly string[]): Promise<Map<string, CancelSplit>> {
  const rows = await db.query<{ runId: string; pastUndoing: boolean }>(statement, [runIds]);
  return new Map(rows.map(({ runId, pastUndoing }) => [runId, pastUndoing ? "past_undoing" : "owes_compensation"]));
}

const doubtsStatement: Statement = {
  name: "doubts-below",
  text: `
    with recursive below as (
      select id as root, id, null::text as attention, true as ended from handrail.run where id = any ($1::uuid[])
      union all
      select below.root, child.id, child.attention, child.finished_at is not null
      from below cross join lateral (
        select id, attention, finished_at from handrail.run where parent_run_id = below.id offset 0
      ) as child
    )
    select distinct root::text as "runId" from below left join lateral (
      select true as open from handrail.step
      where not below.ended and step.run_id = below.id and step.superseded_by is null and step.kind = 'step' and step.effect <> 'pure'
        and (step.status in ('unknown', 'running') or step.status = 'waiting' and step.doubt is not null)
      limit 1
    ) as doubt on true
    where id <> root and (attention = 'outcome_unknown' or doubt.open)`,
};

/** Those of these runs that have a descendant in which an effect may have happened, and has no outcome. */
export async function selectDoubtsBelow(db: Db, runIds: readonly string[]): Promise<Set<string>> {
  const rows = await db.query<{ runId: string }>(doubtsStatement, [runIds]);
  return new Set(rows.map(({ runId }) => runId));
}
