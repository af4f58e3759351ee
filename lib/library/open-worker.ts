import { hostname } from "node:os";
import { pgTransactions } from "../adapters/pg";
import { loadAuditKeys } from "../audit-keys";
import type { AppServices } from "../engine/workflows/workflow";
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
import type { OpenApp } from "../worker/app";
import { faultPoint } from "../worker/fault-points";
import { BEATS_AT_ONCE } from "../worker/loop/heartbeat";
import { Worker, type WorkerOptions } from "../worker/loop/worker";
import type { TransactionSource } from "../worker/transactions/transactions";
import type { HandrailConfig } from "./config";
import type { Parts } from "./parts";

/** For flushes and claims: one of each at a time, and records that wait separately for a locked run. */
const ENGINE_CONNECTIONS = 6;
/** Concurrent transactional steps by plain `pg`; more would compete for the same cores. */
const APP_CONNECTIONS = 10;
const LONGEST_STATEMENT_MS = 30_000;

export interface WorkerSettings {
  /** Runs in flight at once. Default: HANDRAIL_CONCURRENCY, or 400. */
  concurrency?: number;
}

export interface OpenedWorker {
  worker: Worker;
  /** Lets steps in flight finish for `drainMs`, hands back the rest, and closes the connections. */
  stop(drainMs?: number): Promise<void>;
}

/** One worker with connections of its own, beside what the app holds open for its starts. */
export async function openWorker<Tx>(
  config: HandrailConfig<Tx>,
  { env, addresses, log }: Parts<Tx>,
  { concurrency = env.concurrency }: WorkerSettings,
  calls: Pick<WorkerOptions, "onLost" | "onDrain">,
): Promise<OpenedWorker> {
  const { name = "app", workflows, schedules = [] } = config;
  const timeline = new Timeline();
  const { engine, heartbeat, own } = poolsOf(env.leaseMs, addresses, timeline, (session) =>
    log[session.limited ? "info" : "warn"](aboutPooler(session)),
  );
  const db = poolDb(own);
  const notifier = new Notifier(db);
  const auditKeys = loadAuditKeys(env);
  const definitionsOf = (workflow: string) => withRemote(db, workflows, workflow);
  const pg = pgTransactions(own);
  const app: OpenApp = {
    transactions: { app: (config.transactions ?? pg) as unknown as TransactionSource<never>, pg },
    services: (config.services ?? {}) as AppServices,
  };
  const worker = new Worker({
    directUrl: addresses.directUrl,
    timeline,
    pool: engine,
    heartbeatPool: heartbeat,
    workflows: [
      ...workflows,
      operationWorkflow({ db, notifier, auditKeys, definitionsOf, at: faultPoint }, env.keepMs),
      deliveryWorkflow({
        db,
        auditKeys,
        origin: env.publicOrigin,
        send: (toSend, signal) => send({ internal: env.internalReceivers, mail: env.mail }, toSend, signal),
        at: faultPoint,
      }),
    ],
    schedules,
    auditKeys,
    keepMs: env.keepMs,
    deletes: env.retention,
    app,
    concurrency,
    leaseMs: env.leaseMs,
    versionWaitMs: env.versionWaitMs,
    name: `${name} ${hostname()}/${process.pid}`,
    log,
    migrations: await knownMigrations(new URL("../../prisma/migrations", import.meta.url)),
    ...calls,
  });
  const stop = async (drainMs?: number) => {
    await worker.stop(drainMs);
    await notifier.close();
    await Promise.all([engine.end(), heartbeat.end(), own.end()]);
  };
  return { worker, stop };
}

function poolsOf(
  leaseMs: number,
  { databaseUrl, directUrl }: Parts<unknown>["addresses"],
  timeline: Timeline,
  onPooled: (session: PooledSession) => void,
) {
  const limits = { databaseUrl, statementTimeoutMs: LONGEST_STATEMENT_MS, idleInTransactionMs: leaseMs, timeline };
  const beats = { databaseUrl: directUrl, max: BEATS_AT_ONCE, statementTimeoutMs: leaseMs };
  return {
    engine: createPool({ ...limits, name: "handrail worker", max: ENGINE_CONNECTIONS, onePlan: true, onPooled }),
    heartbeat: createPool({ ...limits, ...beats, name: "handrail heartbeat" }),
    own: createPool({ ...limits, name: "handrail app", max: APP_CONNECTIONS }),
  };
}
