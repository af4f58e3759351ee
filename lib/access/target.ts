import type { Permissions } from "../engine/access/permission";
import { OPERATION_WORKFLOW } from "../engine/operations/operation";
import type { Db } from "../store/db";
import {
  idsOfWorkflows,
  workflowsOfOperation,
  workflowsOfPlan,
  workflowsOfProblem,
  workflowsOfRun,
  workflowsOfRuns,
  workflowsOfSchedule,
  workflowsOfWorker,
} from "../store/workflows/workflows-of-targets";

/** The part of a request that says which workflows it is about. */
export interface TargetSource {
  params: unknown;
  body: unknown;
}

export interface Target {
  runId: string | null;
  schedule?: string | undefined;
  workflow?: string | undefined;
  /** Empty: no particular workflow. Null: the named item does not exist. */
  workflows: readonly string[] | null;
}

/** Finds the workflows of a request from the names of runs, plans and the like in its path and body. */
export async function targetOf(db: Db, { params, body }: TargetSource): Promise<Target> {
  const inPath = { ...(params as object) } as {
    runId?: string;
    problemId?: string;
    workerId?: number;
    planId?: string;
    operationId?: string;
    name?: string;
    workflow?: string;
  };
  const inBody = { ...(body as object) } as {
    workflow?: string;
    workflows?: { name: string }[];
    selection?: Selection;
  };
  if (inPath.runId !== undefined) {
    const workflows = await workflowsOfRun(db, inPath.runId);
    return { runId: workflows && inPath.runId, workflow: workflows?.[0], workflows };
  }
  if (inPath.problemId !== undefined) {
    const workflows = await workflowsOfProblem(db, inPath.problemId);
    return { runId: null, workflow: workflows?.[0], workflows };
  }
  if (inPath.planId !== undefined) return ofMany(await workflowsOfPlan(db, inPath.planId));
  if (inPath.operationId !== undefined) return ofMany(await workflowsOfOperation(db, inPath.operationId));
  if (inBody.selection) return ofMany(await workflowsOfSelection(db, inBody.selection));
  if (inPath.workerId !== undefined) return { runId: null, workflows: await workflowsOfWorker(db, inPath.workerId) };
  // A schedule that may be made by this request is judged by the workflow that it is to start.
  if (inPath.name !== undefined && inBody.workflow !== undefined)
    return { runId: null, schedule: inPath.name, workflow: inBody.workflow, workflows: [inBody.workflow] };
  if (inPath.name !== undefined) {
    const workflows = await workflowsOfSchedule(db, inPath.name);
    return { runId: null, schedule: workflows ? inPath.name : undefined, workflow: workflows?.[0], workflows };
  }
  const workflow = inPath.workflow ?? inBody.workflow;
  if (workflow !== undefined) return { runId: null, workflow, workflows: [workflow] };
  return { runId: null, workflows: (inBody.workflows ?? []).map(({ name }) => name) };
}

/** Plans and their operations: the audit names the workflow that carries them out. */
const ofMany = (workflows: readonly string[] | null): Target => ({
  runId: null,
  ...(workflows && { workflow: OPERATION_WORKFLOW }),
  workflows,
});

/** The workflows that a filter names: a filter without any is narrowed to the caller's. */
const workflowsOfSelection = async (db: Db, { runIds, filter }: Selection) =>
  runIds ? workflowsOfRuns(db, runIds) : (filter?.workflow ?? []);

interface Selection {
  runIds?: readonly string[];
  filter?: { workflow?: readonly string[] };
}

/** The runs among these that the caller may see. */
export const visibleRuns = async (
  db: Db,
  { workflows }: Permissions,
  runIds: readonly string[],
): Promise<readonly string[]> => (workflows === null ? runIds : idsOfWorkflows(db, runIds, workflows));
