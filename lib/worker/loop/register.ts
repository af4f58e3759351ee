import { systemCaller } from "../../engine/audit/audit";
import type { AuditKeys } from "../../engine/audit/audit-keys";
import { checkSchedules, type Schedule } from "../../engine/schedules/schedule";
import type { Workflow } from "../../engine/workflows/workflow";
import { newestOf, versionsByName } from "../../engine/workflows/workflow-versions";
import type { Db } from "../../store/db";
import { syncSchedules } from "../../store/schedules/sync-schedules";
import { markWorkerStopped, registerWorker } from "../../store/workers/workers";
import { auditGuards, registerGuarded } from "../../store/workflows/guards";
import { assertAdmitted } from "./admission";
import { identifyProcess } from "./process-identity";

/** What a worker tells of itself. */
export interface Registration {
  /** Runs in flight at once. */
  concurrency: number;
  leaseMs: number;
  /** For people: host and process. */
  name: string;
  workflows: readonly Workflow[];
  /** Of these workflows. Default: none. */
  schedules?: readonly Schedule[];
  /** How long ended runs are kept of workflows that do not say it themselves. Default: null, for ever. */
  keepMs?: number | null;
  /** For the record of what a registration changes of masks and of four eyes; absent: none is kept. */
  auditKeys?: AuditKeys;
  /** Names of the migrations that the code was written for; absent: it works on whatever schema it finds. */
  migrations?: readonly string[];
}

/**
 * Tells the database of the worker and of what its code defines; gives the worker's id.
 * @throws StandAside while a migration asks for it; HandrailError on a schema that the code cannot work on
 */
export async function register(db: Db, worker: Registration): Promise<number> {
  const { name, concurrency, leaseMs, workflows, schedules = [], keepMs = null, migrations, auditKeys } = worker;
  const admitted = async () => migrations && assertAdmitted(db, migrations);
  checkSchedules(schedules, workflows);
  await admitted();
  await db.transaction(async (tx) => {
    const changes = await registerGuarded(tx, workflows, keepMs);
    if (auditKeys) await auditGuards(tx, { by: systemCaller(`worker ${name}`), auditKeys }, changes);
  });
  await syncSchedules(db, schedules);
  const workerId = await registerWorker(db, {
    name,
    workflows: newestOf(workflows).map((workflow) => workflow.name),
    schedules: schedules.map((schedule) => schedule.name),
    versions: versionsByName(workflows),
    concurrency,
    leaseMs,
    process: identifyProcess(),
  });
  // Once more: a migration that did not see this worker has been seen by it, for it locks out whoever registers.
  await admitted().catch(async (refusal: unknown) => {
    await markWorkerStopped(db, workerId);
    throw refusal;
  });
  return workerId;
}
