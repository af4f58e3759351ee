import { HandrailError } from "../../engine/errors";
import { NO_LIMITS } from "../../engine/queues/queue";
import { OWN_WORKFLOWS } from "../../engine/workflows/own-workflows";
import type { Db } from "../../store/db";
import type { ClosedIntakeRow } from "../../store/queues/intake";
import { listWorkflows, type WorkflowRow } from "../../store/reads/workflows";
import { asInstant } from "../values";

export type WorkflowView = ReturnType<typeof workflowView>;

const workflowView = ({
  input_schema,
  seen_at,
  live_limits,
  closed_intake,
  limits,
  version_workers,
  four_eyes,
  on_fields,
  ...workflow
}: WorkflowRow) => ({
  ...workflow,
  versionWorkers: version_workers,
  fourEyes: four_eyes,
  onFields: on_fields,
  // Versions registered by older workers have fewer limits.
  limits: limits && { ...NO_LIMITS, ...limits },
  inputSchema: input_schema,
  seenAt: asInstant(seen_at),
  intake: intakeView(closed_intake),
  liveLimits: live_limits && { ...live_limits, setAt: asInstant(live_limits.setAt) },
});

export const intakeOf = ({ holds, closed_by, reason, closed_at }: ClosedIntakeRow) => ({
  holds,
  closedBy: closed_by,
  reason,
  closedAt: asInstant(closed_at),
});

/** How an intake is closed; null while it is open. */
export const intakeView = (closed: ClosedIntakeRow | null) => closed && intakeOf(closed);

/** @param workflows which the caller may see; null: all */
export async function readWorkflows(db: Db, workflows: readonly string[] | null = null) {
  const apps = (await listWorkflows(db, workflows)).filter(({ name }) => !OWN_WORKFLOWS.includes(name));
  return { workflows: apps.map(workflowView), updatedAt: new Date().toISOString() };
}

/** The newest version. @throws HandrailError `unknown_workflow` */
export async function readWorkflow(db: Db, name: string): Promise<WorkflowView> {
  const [row] = await listWorkflows(db, [name]);
  if (!row) throw new HandrailError("unknown_workflow", `No worker has registered a workflow named "${name}".`);
  return workflowView(row);
}
