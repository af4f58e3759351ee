import type { Db, Statement } from "../db";
import type { RowInstant } from "../rows";

export interface OpenApprovalRow {
  seq: number;
  run_id: string;
  step: string;
  question: string;
  choices: string[];
  data: string;
  opened_at: RowInstant;
  until: RowInstant | null;
  workflow: string;
  title: string;
  tags: Record<string, string> | null;
  run_title: string | null;
  run_revision: number;
}

/** Open approvals of runs that can still be answered, oldest first, by the index of the open ones. */
const openStatement: Statement = {
  name: "open-approvals",
  text: `
    select wait.seq, wait.run_id, wait.step, wait.question, wait.choices, wait.data, wait.opened_at,
      step.next_attempt_at as until, run.workflow, coalesce(workflow.title, run.workflow) as title, run.tags, run.run_title,
      run.revision as run_revision
    from handrail.event_wait as wait
    join handrail.run on run.id = wait.run_id and run.status in ('pending', 'running', 'waiting', 'paused')
    join handrail.step on step.run_id = wait.run_id and step.name = wait.step and step.generation = wait.generation
      and step.status = 'waiting' and step.superseded_by is null
    left join handrail.workflow on workflow.name = run.workflow and workflow.version = run.version
    where wait.question is not null and wait.closed_at is null and ($1::bigint is null or wait.seq > $1::bigint)
      and not exists (select from handrail.event where event.run_id = wait.run_id and event.name = wait.event)
      and ($3::text[] is null or run.workflow = any ($3::text[]))
    order by wait.seq
    limit $2::int`,
};

/** @param of only those of these workflows; null: of all */
export function listOpenApprovals(db: Db, page: { after: number | null; limit: number; of: readonly string[] | null }) {
  return db.query<OpenApprovalRow>(openStatement, [page.after, page.limit, page.of]);
}
