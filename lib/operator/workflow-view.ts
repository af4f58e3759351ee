import { HandrailError } from "../engine/errors";
import type { Db } from "../store/db";
import { listWorkflows, type WorkflowRow } from "../store/reads/workflows";
import { asInstant } from "./values";

export type WorkflowView = ReturnType<typeof workflowView>;

const workflowView = ({ input_schema, seen_at, live_limits, ...workflow }: WorkflowRow) => ({
  ...workflow,
  inputSchema: input_schema,
  seenAt: asInstant(seen_at),
  liveLimits: live_limits && { ...live_limits, setAt: asInstant(live_limits.setAt) },
});

export async function readWorkflows(db: Db) {
  return { workflows: (await listWorkflows(db)).map(workflowView), updatedAt: new Date().toISOString() };
}

/** The newest version. @throws HandrailError `unknown_workflow` */
export async function readWorkflow(db: Db, name: string): Promise<WorkflowView> {
  const [row] = await listWorkflows(db, name);
  if (!row) throw new HandrailError("unknown_workflow", `No worker has told of a workflow named "${name}".`);
  return workflowView(row);
}
