import { hostname } from "node:os";
import type { Pool } from "pg";
import { type App, openApp } from "../app";
import { loadAuditKeys } from "../audit-keys";
import type { AuditKeys } from "../engine/audit/audit-keys";
import { isHandrailError } from "../engine/errors";
import type { Workflow } from "../engine/workflows/workflow";
import { type Env, readEnv } from "../env";
import { createLogger, type Logger } from "../log";
import { deliveryWorkflow } from "../operator/notices/delivery-workflow";
import { operationWorkflow } from "../operator/operations/operation-workflow";
import { send } from "../outbound/send";
import { withRemote } from "../remote/definition";
import { knownMigrations } from "../store/database/known-migrations";
import { Notifier } from "../store/database/notifier";
import { createPool } from "../store/database/pools";
import { aboutPooler, type PooledSession } from "../store/database/session";
import { Timeline } from "../store/database/timeline";
import { poolDb } from "../store/db";
import { setPayloadKeys } from "../store/payloads";
import { faultPoint } from "./fault-points";
import { BEATS_AT_ONCE } from "./loop/heartbeat";
import { Worker } from "./loop/worker";

/** For flushes and claims: one of each at a time, and records that wait separately for a locked run. */
const ENGINE_CONNECTIONS = 6;
/** Concurrent transactional steps; more would compete for the same cores. */
const APP_CONNECTIONS = 10;
const LONGEST_STATEMENT_MS = 30_000;
/** A signal to all processes at once also reaches the parent that forwards it to us: that is not a second one. */
const SAME_SIGNAL_MS = 500;

type Settings = Env & { databaseUrl: string; directUrl: string };

/** The worker process of this app: ends with the process, by a signal or when a migration asks for it. */
export async function runWorker(app: App): Promise<void> {
  const env = settings();
  const log = createLogger("worker", env.logLevel);
  setPayloadKeys(env.payloadKeys);
  const { timeline, pool, heartbeatPool, appPool } = openPools(env, log);
  const notifier = new Notifier(poolDb(appPool));
  const auditKeys = loadAuditKeys(env);
  const worker = new Worker({
    directUrl: env.directUrl,
    timeline,
    pool,
    heartbeatPool,
    workflows: [...app.workflows, ...builtIn(app, env, { appPool, notifier, auditKeys })],
    schedules: app.schedules,
    auditKeys,
    keepMs: env.keepMs,
    deletes: env.retention,
    app: openApp(app, appPool),
    concurrency: env.concurrency,
    leaseMs: env.leaseMs,
    versionWaitMs: env.versionWaitMs,
    name: `${hostname()}/${process.pid}`,
    log,
    migrations: await knownMigrations(new URL("../../prisma/migrations", import.meta.url)),
    // A fresh process is a fresh worker; this one's memory belongs to a lost lease.
    onLost: () => setTimeout(() => process.exit(75), 1_000),
    onDrain: () => {
      log.info("draining for a migration");
      void stop();
    },
  });
  const close = async () => {
    await notifier.close();
    await Promise.all([pool.end(), heartbeatPool.end(), appPool.end()]);
  };
  const stop = stopping(worker, close, log);
  // A workflow's stray promise is its author's bug; the other runs of this process must not pay for it.
  process.on("unhandledRejection", (error) => log.error({ err: error }, "unhandled promise rejection"));
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  await begin(worker, log);
  log.info({ workflows: app.workflows.map(({ name }) => name), concurrency: env.concurrency }, "ready");
}

function settings(): Settings {
  const env = readEnv();
  const { databaseUrl, directUrl } = env;
  if (databaseUrl && directUrl) return { ...env, databaseUrl, directUrl };
  throw new Error("The worker needs DATABASE_URL. `npm run worker` sets it for the embedded database.");
}

function openPools({ databaseUrl, directUrl, leaseMs }: Settings, log: Logger) {
  const timeline = new Timeline();
  const limits = { databaseUrl, statementTimeoutMs: LONGEST_STATEMENT_MS, idleInTransactionMs: leaseMs, timeline };
  const onPooled = (session: PooledSession) => log[session.limited ? "info" : "warn"](aboutPooler(session));
  const heartbeats = { name: "handrail heartbeat", max: BEATS_AT_ONCE, statementTimeoutMs: leaseMs };
  return {
    timeline,
    pool: createPool({ ...limits, name: "handrail worker", max: ENGINE_CONNECTIONS, onePlan: true, onPooled }),
    heartbeatPool: createPool({ ...limits, databaseUrl: directUrl, ...heartbeats }),
    appPool: createPool({ ...limits, name: "handrail app", max: APP_CONNECTIONS }),
  };
}

type Parts = { appPool: Pool; notifier: Notifier; auditKeys: AuditKeys };

/** Handrail's own workflows. */
function builtIn({ workflows }: App, env: Env, { appPool, notifier, auditKeys }: Parts): Workflow[] {
  const db = poolDb(appPool);
  const definitionsOf = (name: string) => withRemote(db, workflows, name);
  return [
    operationWorkflow({ db, notifier, auditKeys, definitionsOf, at: faultPoint }, env.keepMs),
    deliveryWorkflow({
      db,
      auditKeys,
      origin: env.publicOrigin,
      send: (toSend, signal) => send({ internal: env.internalReceivers, mail: env.mail }, toSend, signal),
      at: faultPoint,
    }),
  ];
}

function stopping(worker: Worker, close: () => Promise<void>, log: Logger): () => Promise<void> {
  let since: number | undefined;
  return async () => {
    if (since !== undefined) {
      if (performance.now() - since < SAME_SIGNAL_MS) return;
      process.exit(1);
    }
    since = performance.now();
    log.info("stopping: letting steps in flight finish");
    await worker.stop();
    await close();
    log.info("stopped");
    process.exit(0);
  };
}

async function begin(worker: Worker, log: Logger): Promise<void> {
  try {
    await worker.start();
  } catch (error) {
    // The message says what to do; a supervisor restarts the process.
    if (!isHandrailError(error)) throw error;
    log.fatal(error.message);
    process.exit(1);
  }
}
