import { type AlertRule, checkAlerts } from "../../engine/alerts/alert-rule";
import { systemCaller } from "../../engine/audit/audit";
import type { AuditKeys } from "../../engine/audit/audit-keys";
import { checkSchedules, type Schedule } from "../../engine/schedules/schedule";
import type { Workflow } from "../../engine/workflows/workflow";
import { newestOf, versionsByName } from "../../engine/workflows/workflow-versions";
import { syncAlertRules } from "../../store/alerts/alert-rules";
import type { Db } from "../../store/db";
import { syncSchedules } from "../../store/schedules/sync-schedules";
import { markWorkerStopped, registerWorker } from "../../store/workers/workers";
import { auditGuards, registerGuarded } from "../../store/workflows/guards";
import { faultPoint } from "../fault-points";
import { assertAdmitted } from "./admission";
import { identifyProcess } from "./process-identity";

/** A worker's registration. */
export interface Registration {
  /** Runs in flight at once. */
  concurrency: number;
  leaseMs: number;
  /** For people: host and process. */
  name: string;
  workflows: readonly Workflow[];
  /** Of these workflows. Default: none. */
  schedules?: readonly Schedule[];
  /** Default: none. */
  alerts?: readonly AlertRule[];
  /** Names of alert rules that the code defines and people have made before. */
  onAlertsTaken?: (names: readonly string[]) => void;
  /** The name of the app: its code's alert rules are those of no other one. Default: none. */
  appName?: string;
  /** How long ended runs are kept for workflows without a period. Default: null, forever. */
  keepMs?: number | null;
  /** The build of the process's code: its first worker marks a deploy. Default: null, unknown. */
  build?: string | null;
  /** For the audit of changes to masks and four eyes by a registration; absent: none is kept. */
  auditKeys?: AuditKeys;
  /** Names of the migrations that the code was written for; absent: it accepts any schema. */
  migrations?: readonly string[];
}

/**
 * Registers the worker and its code's definitions in the database; returns the worker's id.
 * @throws StandAside while a migration asks for it; HandrailError on an incompatible schema
 */
export async function register(db: Db, worker: Registration): Promise<number> {
  const { name, concurrency, leaseMs, workflows, schedules = [], keepMs = null, migrations, auditKeys } = worker;
  const { alerts = [], appName = "", onAlertsTaken, build = null } = worker;
  const admitted = async () => migrations && assertAdmitted(db, migrations);
  checkSchedules(schedules, workflows);
  checkAlerts(alerts);
  await admitted();
  await db.transaction(async (tx) => {
    const changes = await registerGuarded(tx, workflows, keepMs, build);
    await faultPoint("deploy:before-commit");
    if (auditKeys) await auditGuards(tx, { by: systemCaller(`worker ${name}`), auditKeys }, changes);
  });
  await faultPoint("deploy:after-commit");
  await syncSchedules(db, schedules);
  const taken = await syncAlertRules(db, appName, alerts);
  if (taken.length > 0) onAlertsTaken?.(taken);
  const workerId = await registerWorker(db, {
    name,
    workflows: newestOf(workflows).map((workflow) => workflow.name),
    schedules: schedules.map((schedule) => schedule.name),
    alerts: alerts.map((rule) => rule.name),
    app: appName,
    versions: versionsByName(workflows),
    concurrency,
    leaseMs,
    process: identifyProcess(),
    build,
  });
  // Checked again: a migration that did not see this worker is visible by now, since it locks out registrations.
  await admitted().catch(async (refusal: unknown) => {
    await markWorkerStopped(db, workerId);
    throw refusal;
  });
  return workerId;
}
