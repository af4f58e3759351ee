import type { Db, Statement } from "../db";
import type { CompensationRow, RunRow, StepRow } from "../rows";

export interface OpenCompensationRow extends CompensationRow {
  run_id: string;
  workflow: string;
  title: string;
  tags: Record<string, string> | null;
  run_status: RunRow["status"];
  run_revision: number;
  step_reference: StepRow["reference"];
  step_output: StepRow["output"];
  key_generation: number;
  /** `owed_at` to the microsecond, for the cursor. */
  owed_at_text: string;
}

/** Where a page begins: after this compensation. */
export type CompensationKey = [owedAt: string, runId: string, step: string, generation: number];

/** Open compensations, longest owed first, by the index of the open ones. */
const openStatement: Statement = {
  name: "open-compensations",
  text: `
    select compensation.*, compensation.owed_at::text as owed_at_text,
      run.workflow, coalesce(workflow.title, run.workflow) as title, run.tags,
      run.status as run_status, run.revision as run_revision,
      step.reference as step_reference, step.output as step_output, step.key_generation
    from handrail.compensation
    join handrail.run on run.id = compensation.run_id
    join handrail.step on step.run_id = compensation.run_id
      and step.name = compensation.step and step.generation = compensation.generation
    left join handrail.workflow on workflow.name = run.workflow and workflow.version = run.version
    where compensation.status in ('owed', 'running', 'failed')
      and ($1::timestamptz is null or (compensation.owed_at, compensation.run_id, compensation.step, compensation.generation)
        > ($1::timestamptz, $2::uuid, $3::text, $4::int))
    order by compensation.owed_at, compensation.run_id, compensation.step, compensation.generation
    limit $5::int`,
};

export function listOpenCompensations(db: Db, page: { after: CompensationKey | null; limit: number }) {
  const after = page.after ?? [null, null, null, null];
  return db.query<OpenCompensationRow>(openStatement, [...after, page.limit]);
}
