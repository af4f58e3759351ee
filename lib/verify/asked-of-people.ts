import type { Pool } from "pg";
import { ENDED_STATUSES } from "../engine/runs/run";
import { inSchema } from "../store/schema";

export interface AskedOfPeople {
  /** Whether a person, and nothing else, can bring the run or one of its children further. */
  asks: boolean;
  /** Their steps whose outcome is unknown. */
  unknown: { workflow: string; step: string }[];
}

/** Of the run and all that it has started. */
export async function askedOfPeople(pool: Pool, runId: string): Promise<AskedOfPeople> {
  const { rows } = await pool.query<AskedOfPeople>(
    inSchema(`with recursive family as (
       select id, workflow, status, attention, waiting_kind from handrail.run where id = $1
       union select run.id, run.workflow, run.status, run.attention, run.waiting_kind
       from handrail.run join family on run.parent_run_id = family.id
     )
     select
       exists (select from family
         where attention = 'outcome_unknown' or waiting_kind = 'operator' and status <> all ($2)) as asks,
       (select coalesce(json_agg(json_build_object('workflow', workflow, 'step', step.name) order by step.position), '[]')
         from family join handrail.step on step.run_id = family.id
         where step.status = 'unknown' and step.superseded_by is null) as unknown`),
    [runId, ENDED_STATUSES],
  );
  return rows[0] as AskedOfPeople;
}
