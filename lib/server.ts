import path from "node:path";
import { loadAuditKeys } from "./audit-keys";
import { Blobs } from "./blobs/blobs";
import type { AuditKeys } from "./engine/audit/audit-keys";
import type { WorkflowCode } from "./engine/workflows/workflow-code";
import type { Env } from "./env";
import { addressesOf } from "./env-of-app";
import { createLogger, type Logger } from "./log";
import { ChangeFeed } from "./operator/changes/change-feed";
import { EndWaits } from "./operator/changes/end-waits";
import { appLog, registeredApp } from "./registered-app";
import { openWorkflowCode } from "./remote/workflow-code";
import { serverEnv } from "./server-env";
import { onShutdown } from "./shutdown";
import { Notifier } from "./store/database/notifier";
import { createPool } from "./store/database/pools";
import { aboutPooler } from "./store/database/session";
import { type Db, poolDb } from "./store/db";
import { setPayloadKeys } from "./store/payloads";
import { setSchema } from "./store/schema";
import { Standby } from "./store/standby/standby";
import type { DriveReport } from "./worker/loop/drive";

/** All parts of the web process. */
export interface Server {
  env: Env;
  db: Db;
  /** Where what may be read from a standby is read; null: from `db`. */
  standby: Standby | null;
  notifier: Notifier;
  /** Of values over 1 MiB. */
  blobs: Blobs;
  auditKeys: AuditKeys;
  feed: ChangeFeed;
  /** Shared by all waits for ends of runs. */
  ends: EndWaits;
  /** Of the app's workflows, and of those that only workers have. */
  code: WorkflowCode;
  /** Acts as a worker for a bounded time: for platforms without long-running processes. */
  drive: (order: { maxMs: number }) => Promise<DriveReport>;
}

/** A read that takes longer needs a better query; an action that waits longer for a run's lock should be retried. */
const LONGEST_STATEMENT_MS = 5_000;
const LONGEST_PAUSE_IN_TRANSACTION_MS = 5_000;
const CONNECTIONS = 10;

/** On globalThis: Next bundles routes and pages separately, and development reloads modules, but the process is one. */
const shared = globalThis as { handrailServer?: Server; handrailLog?: Logger };

/** The sign-in provider's display name; null with passwords only. */
export function providerHost(): string | null {
  const { provider } = serverEnv();
  return provider && new URL(provider.issuer).host;
}

/** Created on first use: building the app must not connect to anything. */
export function server(): Server {
  shared.handrailServer ??= createServer(serverEnv());
  return shared.handrailServer;
}

/** Separate, since it must report when the rest cannot be created. */
export function serverLog(): Logger {
  shared.handrailLog ??= appLog() ?? createLogger("console", serverEnv().logLevel);
  return shared.handrailLog;
}

function createServer(env: Env): Server {
  const { app, loadDrives } = registeredApp();
  const addresses = addressesOf(app, env);
  setSchema(env.schema);
  setPayloadKeys(env.payloadKeys);
  const connection = {
    databaseUrl: addresses.databaseUrl,
    name: "handrail console",
    statementTimeoutMs: LONGEST_STATEMENT_MS,
    idleInTransactionMs: LONGEST_PAUSE_IN_TRANSACTION_MS,
  };
  const pool = createPool({
    ...connection,
    max: CONNECTIONS,
    boundedReads: true,
    onPooled: (session) => serverLog()[session.limited ? "info" : "warn"](aboutPooler(session)),
  });
  const db = poolDb(pool);
  const notifier = new Notifier(db);
  const feed = new ChangeFeed(addresses.directUrl, (message) => serverLog().warn(message));
  const { code, close } = openWorkflowCode({ workflows: app.workflows, db, feed, connection });
  onShutdown("the pool", () => pool.end());
  onShutdown("requests to code", close);
  onShutdown("notes about changes", () => notifier.close());
  onShutdown("streams of changes", () => feed.close());
  const auditKeys = loadAuditKeys(env);
  return {
    env,
    db,
    standby: standbyOf(env, db),
    notifier,
    blobs: new Blobs(db, app.blobs),
    auditKeys,
    feed,
    ends: new EndWaits(db, feed),
    code,
    drive: drivesOf(async () => {
      const { openDrives } = await loadDrives();
      const { log = createLogger("drive", env.logLevel) } = app;
      // Relative to the folder that Next serves; next.config.js includes it in standalone builds.
      const drives = await openDrives(app, { env, addresses, log }, path.resolve("prisma/migrations"));
      onShutdown("drives", drives.close);
      return drives.drive;
    }),
  };
}

function standbyOf({ standby: given }: Env, primary: Db): Standby | null {
  if (given === null) return null;
  const standby = new Standby({
    ...given,
    primary,
    onChange: (reason) =>
      reason === null
        ? serverLog().info("reads from the standby of DATABASE_READ_URL")
        : serverLog().warn({ reason }, "does not read from the standby of DATABASE_READ_URL, but from the primary"),
  });
  onShutdown("the standby's pool", () => standby.close());
  return standby;
}

/** Who never drives does not load the code for it. */
function drivesOf(open: () => Promise<Server["drive"]>): Server["drive"] {
  let opened: Promise<Server["drive"]> | undefined;
  return async (order) => {
    opened ??= open();
    return (await opened)(order);
  };
}
