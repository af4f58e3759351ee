import type { Db, Statement } from "../db";
import type { Json, RowInstant } from "../rows";

export interface WorkflowRow {
  name: string;
  version: number;
  title: string;
  input_schema: Json;
  seen_at: RowInstant;
  /** Live workers that have it. */
  workers: number;
}

/** Every version that a worker ever told of, by name and newest version first. */
const workflowsStatement: Statement = {
  name: "workflows",
  text: `
    select name, version, title, input_schema, seen_at,
      (select count(*)::int from handrail.worker
        where stopped_at is null and stopping_at is null and lease_expires_at > clock_timestamp()
          and workflow.name = any (worker.workflows)) as workers
    from handrail.workflow
    order by name, version desc
    limit $1::int`,
};

const MAX_WORKFLOWS = 500;

export function listWorkflows(db: Db) {
  return db.query<WorkflowRow>(workflowsStatement, [MAX_WORKFLOWS]);
}
