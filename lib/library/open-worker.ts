import { hostname } from "node:os";
import { type App, openApp } from "../app";
import { loadAuditKeys } from "../audit-keys";
import type { Workflow } from "../engine/workflows/workflow";
import type { Env } from "../env";
import type { Addresses } from "../env-of-app";
import type { Logger } from "../log";
import { ChangeFeed } from "../operator/changes/change-feed";
import { deliveryWorkflow } from "../operator/notices/delivery-workflow";
import { operationWorkflow } from "../operator/operations/operation-workflow";
import { probeWorkflow } from "../operator/probes/probe-workflow";
import { send } from "../outbound/send";
import { openWorkflowCode } from "../remote/workflow-code";
import { knownMigrations } from "../store/database/known-migrations";
import { Notifier } from "../store/database/notifier";
import { aboutPooler } from "../store/database/session";
import { poolDb } from "../store/db";
import { flushTraces } from "../traces/tracing";
import { faultPoint } from "../worker/fault-points";
import { Worker } from "../worker/loop/worker";
import { openWorkerPools, type WorkerPoolOptions } from "../worker/loop/worker-pools";
import type { WorkerMetrics } from "./worker-metrics";

/** For flushes and claims: one of each at a time, and records that wait separately for a locked run. */
const ENGINE_CONNECTIONS = 6;
/** Concurrent transactional steps on connections of Handrail's own; more would compete for the same cores. */
const APP_CONNECTIONS = 10;

/** Of requests to code that only other workers have. */
const LONGEST_STATEMENT_MS = 5_000;

/** What the process of an app's worker has already. */
export interface WorkerSetting {
  env: Env;
  addresses: Addresses;
  log: Logger;
}

export interface WorkerSettings {
  /** Runs in flight at once. Default: HANDRAIL_CONCURRENCY, or 400. */
  concurrency?: number;
}

/** What its process does when it loses its lease, or a migration asks it to stand aside. */
export interface WorkerCalls {
  onLost(): void;
  onDrain(): void;
}

export interface OpenedWorker {
  log: Logger;
  /** As of Worker. */
  start(): Promise<void>;
  /** Lets steps in flight finish for `drainMs`, hands back the rest, and closes the connections. Asked again, the same end. */
  stop(drainMs?: number): Promise<void>;
  /** Its end has been asked for. */
  isStopping(): boolean;
}

/** One worker of the app, with separate connections. */
export async function openWorker(
  app: App,
  setting: WorkerSetting & { metrics: WorkerMetrics },
  { concurrency = setting.env.concurrency }: WorkerSettings,
  calls: WorkerCalls,
): Promise<OpenedWorker> {
  const migrations = await knownMigrations();
  const { log } = setting;
  warnAboutSearch(app, setting);
  const { options, appPool, close } = equip(app, setting, {
    name: "handrail",
    engine: ENGINE_CONNECTIONS,
    app: APP_CONNECTIONS,
    onPooled: (session) => log[session.limited ? "info" : "warn"](aboutPooler(session)),
  });
  const name = [...(app.name === undefined ? [] : [app.name]), `${hostname()}/${process.pid}`].join(" ");
  const { metrics } = setting;
  const worker = new Worker({ ...options, ...calls, migrations, concurrency, name, tally: metrics.tally });
  const { pool: engine, heartbeatPool: heartbeat } = options;
  const leave = metrics.join(() => ({ ...worker.load, pools: { engine, app: appPool, heartbeat } }));
  const end = async (drainMs?: number) => {
    await worker.stop(drainMs);
    await flushTraces();
    leave();
    await close();
  };
  let ended: Promise<void> | undefined;
  const stop = (drainMs?: number) => {
    ended ??= end(drainMs);
    return ended;
  };
  return { log, start: () => worker.start(), stop, isStopping: () => ended !== undefined };
}

/** Runs that start without a key have no keyed tags: nobody finds them by these later either. */
function warnAboutSearch({ workflows }: App, { env, log }: WorkerSetting): void {
  const names = workflows.filter(({ searchable }) => searchable.length > 0).map(({ name }) => name);
  if (names.length > 0 && !env.payloadKeys)
    log.warn(
      { workflows: names },
      "these workflows declare searchable tags, and HANDRAIL_PAYLOAD_KEYS is not set: only people with payload.read find their runs by them. Set a key (docs/privacy.md).",
    );
}

/** What a worker of the app needs, whether it stays or serves one call: with its connections open. */
export function equip(
  app: App,
  { env, addresses, log }: WorkerSetting,
  pools: Omit<WorkerPoolOptions, keyof Addresses | "leaseMs">,
) {
  const { leaseMs, versionWaitMs, keepMs, retention: deletes, concurrency, build, traceRatio } = env;
  const { appPool, end, ...connected } = openWorkerPools({ ...pools, ...addresses, leaseMs });
  const notifier = new Notifier(poolDb(appPool));
  const auditKeys = loadAuditKeys(env);
  const feed = new ChangeFeed(addresses.directUrl);
  const limits = { statementTimeoutMs: LONGEST_STATEMENT_MS, idleInTransactionMs: leaseMs };
  const { code, close: closeCode } = openWorkflowCode({
    workflows: app.workflows,
    db: poolDb(appPool),
    feed,
    connection: { databaseUrl: addresses.databaseUrl, name: `${pools.name} code`, ...limits },
  });
  const desk = { db: poolDb(appPool), notifier, auditKeys, code };
  const options = {
    ...connected,
    directUrl: addresses.directUrl,
    workflows: [...app.workflows, ...builtIn(env, desk)],
    schedules: app.schedules ?? [],
    alerts: app.alerts ?? [],
    appName: app.name ?? "",
    onAlertsTaken: (names: readonly string[]) =>
      log.warn(
        { names },
        "alert rules of the code have names of rules made in the console, which stay: rename or remove those",
      ),
    auditKeys,
    keepMs,
    build,
    deletes,
    app: openApp(app, appPool),
    captureLogs: app.captureLogs,
    traceRatio,
    concurrency,
    leaseMs,
    versionWaitMs,
    log,
  };
  const close = async () => {
    await notifier.close();
    await Promise.all([feed.close(), closeCode()]);
    await end();
  };
  return { options, appPool, close };
}

type Desk = Omit<Parameters<typeof operationWorkflow>[0], "at">;

/** Handrail's own workflows. */
function builtIn(env: Env, desk: Desk): Workflow[] {
  const { publicOrigin: origin, internalReceivers: internal, mail, keepMs } = env;
  return [
    operationWorkflow({ ...desk, at: faultPoint }, keepMs),
    probeWorkflow({ ...desk, at: faultPoint }, keepMs),
    deliveryWorkflow({
      ...desk,
      origin,
      send: (toSend, signal) => send({ internal, mail }, toSend, signal),
      at: faultPoint,
    }),
  ];
}
