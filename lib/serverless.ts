import { hostname } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type App, openApp } from "./app";
import { loadAuditKeys } from "./audit-keys";
import { HandrailError } from "./engine/errors";
import type { Env } from "./env";
import { createLogger } from "./log";
import { deliveryWorkflow } from "./operator/notices/delivery-workflow";
import { operationWorkflow } from "./operator/operations/operation-workflow";
import { send } from "./outbound/send";
import { withRemote } from "./remote/definition";
import { onShutdown } from "./shutdown";
import { knownMigrations } from "./store/database/known-migrations";
import { Notifier } from "./store/database/notifier";
import { createPool } from "./store/database/pools";
import { Timeline } from "./store/database/timeline";
import { type Db, poolDb } from "./store/db";
import { type DriveReport, drive } from "./worker/loop/drive";
import { BEATS_AT_ONCE } from "./worker/loop/heartbeat";
import type { WorkerOptions } from "./worker/loop/worker";

/** Concurrent drives in this process. Each is a separate worker; more would compete for the same cores. */
const MOST_DRIVES = 4;
/** For flushes and claims of one drive. */
const ENGINE_CONNECTIONS = 4;
/** Concurrent transactional steps of one drive. */
const APP_CONNECTIONS = 5;
/** A drive must return within its time, also when the database is in trouble. */
const LONGEST_STATEMENT_MS = 5_000;
/** A body that ignores its signal may keep a connection: the drive waits no longer than this. */
const LONGEST_GOODBYE_MS = 500;

interface Addresses {
  databaseUrl: string;
  directUrl: string;
}

/** Runs workflows in the web process, call by call, where no worker process can stay. Created on the first call. */
export async function openDrives(
  app: App,
  env: Env,
  addresses: Addresses,
): Promise<(order: { maxMs: number }) => Promise<DriveReport>> {
  // Relative to the folder that Next serves; next.config.js includes it in standalone builds.
  const migrations = await knownMigrations(path.resolve("prisma/migrations"));
  const log = createLogger("drive", env.logLevel);
  const auditKeys = loadAuditKeys(env);
  const shutdown = new AbortController();
  const driving = new Set<Promise<DriveReport>>();
  onShutdown("drives", async () => {
    shutdown.abort();
    await Promise.allSettled(driving);
  });

  return ({ maxMs }) => {
    if (driving.size >= MOST_DRIVES)
      throw new HandrailError(
        "too_busy",
        `${MOST_DRIVES} drives are under way in this process already. Call again later.`,
      );
    const one = withConnections(app, env, addresses, ({ db, notifier, ...connected }) =>
      drive({
        ...connected,
        directUrl: addresses.directUrl,
        workflows: [
          ...app.workflows,
          operationWorkflow(
            { db, notifier, auditKeys, definitionsOf: (name) => withRemote(db, app.workflows, name) },
            env.keepMs,
          ),
          deliveryWorkflow({
            db,
            auditKeys,
            origin: env.publicOrigin,
            send: (toSend, signal) => send({ internal: env.internalReceivers, mail: env.mail }, toSend, signal),
          }),
        ],
        schedules: app.schedules,
        auditKeys,
        keepMs: env.keepMs,
        deletes: env.retention,
        concurrency: env.concurrency,
        leaseMs: env.leaseMs,
        versionWaitMs: env.versionWaitMs,
        name: `${hostname()}/drive`,
        log,
        migrations,
        maxMs,
        signal: shutdown.signal,
      }),
    );
    driving.add(one);
    const done = () => driving.delete(one);
    void one.then(done, done);
    return one;
  };
}

type Connected = Pick<WorkerOptions, "pool" | "heartbeatPool" | "timeline" | "app"> & { db: Db; notifier: Notifier };

/**
 * Separate for each drive: the process may be suspended between two calls, and the server may have changed when it
 * resumes.
 */
async function withConnections<Result>(
  app: App,
  env: Env,
  { databaseUrl, directUrl }: Addresses,
  work: (connected: Connected) => Promise<Result>,
): Promise<Result> {
  const timeline = new Timeline();
  const limits = { databaseUrl, timeline, statementTimeoutMs: LONGEST_STATEMENT_MS, idleInTransactionMs: env.leaseMs };
  const heartbeatLimits = { ...limits, databaseUrl: directUrl, statementTimeoutMs: env.leaseMs };
  const pool = createPool({ ...limits, name: "handrail drive", max: ENGINE_CONNECTIONS, onePlan: true });
  const appPool = createPool({ ...limits, name: "handrail drive app", max: APP_CONNECTIONS });
  const heartbeatPool = createPool({ ...heartbeatLimits, name: "handrail drive heartbeat", max: BEATS_AT_ONCE });
  const db = poolDb(appPool);
  const notifier = new Notifier(db);
  try {
    return await work({ pool, heartbeatPool, timeline, app: openApp(app, appPool), db, notifier });
  } finally {
    const goodbye = notifier.close().then(() => Promise.all([pool.end(), appPool.end(), heartbeatPool.end()]));
    await Promise.race([goodbye.catch(() => undefined), delay(LONGEST_GOODBYE_MS, undefined, { ref: false })]);
  }
}
