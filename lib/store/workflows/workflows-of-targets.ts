import type { Db, Statement } from "../db";

const ofRunStatement: Statement = {
  name: "workflow-of-run",
  text: "select array[workflow] as workflows from handrail.run where id = $1",
};
const ofScheduleStatement: Statement = {
  name: "workflow-of-schedule",
  text: "select array[workflow] as workflows from handrail.schedule where name = $1",
};
const ofProblemStatement: Statement = {
  name: "workflow-of-problem",
  text: "select array[workflow] as workflows from handrail.problem where id = $1",
};
const ofPlanStatement: Statement = {
  name: "workflows-of-plan",
  text: "select workflows from handrail.plan where id = $1",
};
const ofOperationStatement: Statement = {
  name: "workflows-of-operation",
  text: "select workflows from handrail.operation where id = $1",
};
const ofRunsStatement: Statement = {
  name: "workflows-of-runs",
  text: `
    select coalesce(array_agg(distinct workflow order by workflow), '{}') as workflows
    from handrail.run where id = any ($1::uuid[])`,
};
const ofWorkerStatement: Statement = {
  name: "workflows-of-worker",
  text: "select workflows from handrail.worker where id = $1",
};

async function workflowsOf(db: Db, statement: Statement, id: unknown): Promise<string[] | null> {
  const [row] = await db.query<{ workflows: string[] }>(statement, [id]);
  return row?.workflows ?? null;
}

/** Null if none exists. */
export const workflowsOfRun = (db: Db, runId: string) => workflowsOf(db, ofRunStatement, runId);
export const workflowsOfSchedule = (db: Db, name: string) => workflowsOf(db, ofScheduleStatement, name);
export const workflowsOfProblem = (db: Db, problemId: string) => workflowsOf(db, ofProblemStatement, problemId);
export const workflowsOfPlan = (db: Db, planId: string) => workflowsOf(db, ofPlanStatement, planId);
export const workflowsOfOperation = (db: Db, operationId: string) => workflowsOf(db, ofOperationStatement, operationId);
/** Those that exist. */
export const workflowsOfRuns = (db: Db, runIds: readonly string[]) => workflowsOf(db, ofRunsStatement, runIds);
export const workflowsOfWorker = (db: Db, workerId: number) => workflowsOf(db, ofWorkerStatement, workerId);

const idsStatement: Statement = {
  name: "runs-of-workflows",
  text: "select id::text from handrail.run where id = any ($1::uuid[]) and workflow = any ($2::text[])",
};

/** Those of these runs that are of these workflows. */
export async function idsOfWorkflows(db: Db, runIds: readonly string[], workflows: readonly string[]) {
  return (await db.query<{ id: string }>(idsStatement, [runIds, workflows])).map(({ id }) => id);
}
