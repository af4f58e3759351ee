import type { CancelSplit } from "../../engine/operations/plan";
import { KINDS_WITH_EFFECT } from "../../engine/steps/step";
import type { Db, Statement } from "../db";

const HAS_HAPPENED = `step.superseded_by is null and step.status = 'completed'
        and (step.kind in (${KINDS_WITH_EFFECT.map((kind) => `'${kind}'`).join(", ")}) or step.kind = 'step' and step.effect <> 'pure')`;

// The same descendants as lib/store/runs/cancel-children.ts ends. Of each, one step answers.
const statement: Statement = {
  name: "effects-below",
  text: `
    with recursive below as (
      select id as root, id from handrail.run where id = any ($1::uuid[])
      union all
      select below.root, child.id from below join handrail.run as child on child.parent_run_id = below.id
      where child.ends_with_parent and child.finished_at is null and child.status <> 'compensating' and child.cancel_requested_at is null
    )
    select root::text as "runId",
      bool_or(exists (select from handrail.step where step.run_id = below.id and step.compensation_mode is null and ${HAS_HAPPENED})) as "pastUndoing"
    from below
    where id <> root and exists (select from handrail.step where step.run_id = below.id and ${HAS_HAPPENED})
    group by root`,
};

/** Of runs whose descendants have completed effects and end with them: whether all of those have a compensation. */
export async function selectEffectsBelow(db: Db, runIds: readonly string[]): Promise<Map<string, CancelSplit>> {
  const rows = await db.query<{ runId: string; pastUndoing: boolean }>(statement, [runIds]);
  return new Map(rows.map(({ runId, pastUndoing }) => [runId, pastUndoing ? "past_undoing" : "owes_compensation"]));
}

const doubtsStatement: Statement = {
  name: "doubts-below",
  text: `
    with recursive below as (
      select id as root, id, null::text as attention from handrail.run where id = any ($1::uuid[])
      union all
      select below.root, child.id, child.attention from below join handrail.run as child on child.parent_run_id = below.id
    )
    select root::text as "runId", min(id::text) as "inDoubt" from below where attention = 'outcome_unknown' group by root`,
};

/** Of runs with a descendant whose step has an unknown outcome: the first such descendant. */
export async function selectDoubtsBelow(db: Db, runIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.query<{ runId: string; inDoubt: string }>(doubtsStatement, [runIds]);
  return new Map(rows.map(({ runId, inDoubt }) => [runId, inDoubt]));
}
