import type { Caller } from "../../engine/audit/audit";
import type { AuditKeys } from "../../engine/audit/audit-keys";
import { type GuardChange, type Guards, guardChanges } from "../../engine/workflows/guards";
import type { Workflow } from "../../engine/workflows/workflow";
import { writeAudit } from "../audit/audit";
import type { Db, Statement } from "../db";
import { noteDeploy } from "../deploys/note-deploy";
import type { RequestKey } from "../operations/request";
import { checkWindowZones } from "../queues/window-zones";
import { registerWorkflows } from "../workers/workers";

// Locked in the order in which registrations write: they change what is read here.
const guardsStatement: Statement = {
  name: "guards-of-workflows",
  text: `
    select name as workflow, version, masked, four_eyes as "fourEyes" from handrail.workflow
    where name = any ($1::text[]) order by name, version for no key update`,
};

/**
 * As `registerWorkflows`, in a caller's transaction, which marks the deploy of a new build or of new versions, too;
 * returns its changes of masks and of required approvals.
 * @throws HandrailError `invalid_workflow`
 */
export async function registerGuarded(
  tx: Db,
  workflows: readonly Workflow[],
  keepMs: number | null,
  build: string | null = null,
): Promise<GuardChange[]> {
  const names = [...new Set(workflows.map(({ name }) => name))];
  const windows = workflows.flatMap(({ queueing }) => queueing?.limits.window ?? []);
  await checkWindowZones(tx, names, windows, "invalid_workflow");
  const before = await tx.query<Guards>(guardsStatement, [names]);
  const fresh = await registerWorkflows(tx, workflows, keepMs);
  await noteDeploy(tx, fresh, build);
  return guardChanges(before, await tx.query<Guards>(guardsStatement, [names]));
}

interface Registering {
  by: Caller;
  auditKeys: AuditKeys;
  request?: RequestKey | null;
}

/** Nothing may be locked after it. */
export async function auditGuards(
  tx: Db,
  { by, auditKeys, request = null }: Registering,
  changes: readonly GuardChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const entries = changes.map(({ before, after }, index) => ({
    by,
    act: "change_guards",
    runId: null,
    step: null,
    workflow: after.workflow,
    reason: "A worker registered the workflow.",
    before: shown(before),
    after: shown(after),
    requestKey: index === 0 ? (request?.key ?? null) : null,
  }));
  await writeAudit(tx, auditKeys, entries);
}

const shown = ({ version, masked, fourEyes }: Guards) => ({ version, masked, fourEyes });
