import { hostname } from "node:os";
import { appServices } from "../../demo/services/app-services";
import { createPrisma } from "../../demo/services/prisma";
import { workflows } from "../../demo/workflows/index";
import { schedules } from "../../demo/workflows/schedules";
import { pgTransactions } from "../adapters/pg";
import { prismaTransactions } from "../adapters/prisma";
import { loadAuditKeys } from "../audit-keys";
import { isHandrailError } from "../engine/errors";
import { readEnv } from "../env";
import { createLogger } from "../log";
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

const env = readEnv();
const log = createLogger("worker", env.logLevel);
if (!env.databaseUrl || !env.directUrl)
  throw new Error("The worker needs DATABASE_URL. `npm run worker` sets it for the embedded database.");

setPayloadKeys(env.payloadKeys);
const timeline = new Timeline();
const limits = {
  databaseUrl: env.databaseUrl,
  statementTimeoutMs: LONGEST_STATEMENT_MS,
  idleInTransactionMs: env.leaseMs,
  timeline,
};
const onPooled = (session: PooledSession) => log[session.limited ? "info" : "warn"](aboutPooler(session));
const pool = createPool({ ...limits, name: "handrail worker", max: ENGINE_CONNECTIONS, onePlan: true, onPooled });
const heartbeatPool = createPool({
  ...limits,
  databaseUrl: env.directUrl,
  name: "handrail heartbeat",
  max: BEATS_AT_ONCE,
  statementTimeoutMs: env.leaseMs,
});
const appPool = createPool({ ...limits, name: "handrail app", max: APP_CONNECTIONS });
const prisma = createPrisma(appPool);

const auditKeys = loadAuditKeys(env);
const notifier = new Notifier(poolDb(appPool));
const operationDesk = {
  db: poolDb(appPool),
  notifier,
  auditKeys,
  definitionsOf: (name: string) => withRemote(poolDb(appPool), workflows, name),
  at: faultPoint,
};
const operations = operationWorkflow(operationDesk, env.keepMs);
const deliveries = deliveryWorkflow({
  db: poolDb(appPool),
  auditKeys,
  origin: env.publicOrigin,
  send: (toSend, signal) => send({ internal: env.internalReceivers, mail: env.mail }, toSend, signal),
  at: faultPoint,
});

const worker = new Worker({
  directUrl: env.directUrl,
  timeline,
  pool,
  heartbeatPool,
  workflows: [...workflows, operations, deliveries],
  schedules,
  auditKeys,
  keepMs: env.keepMs,
  deletes: env.retention,
  app: {
    transactions: { app: prismaTransactions(prisma), pg: pgTransactions(appPool) },
    services: appServices,
  },
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

let stoppingSince: number | undefined;
async function stop(): Promise<void> {
  if (stoppingSince !== undefined) {
    if (performance.now() - stoppingSince < SAME_SIGNAL_MS) return;
    process.exit(1);
  }
  stoppingSince = performance.now();
  log.info("stopping: letting steps in flight finish");
  await worker.stop();
  await notifier.close();
  await prisma.$disconnect();
  await Promise.all([pool.end(), heartbeatPool.end(), appPool.end()]);
  log.info("stopped");
  process.exit(0);
}

// A workflow's stray promise is its author's bug; the other runs of this process must not pay for it.
process.on("unhandledRejection", (error) => log.error({ err: error }, "unhandled promise rejection"));
process.on("SIGTERM", stop);
process.on("SIGINT", stop);

try {
  await worker.start();
} catch (error) {
  // The message says what to do; a supervisor restarts the process.
  if (!isHandrailError(error)) throw error;
  log.fatal(error.message);
  process.exit(1);
}
log.info({ workflows: workflows.map(({ name }) => name), concurrency: env.concurrency }, "ready");
