import { hostname } from "node:os";
import path from "node:path";
import { workflows } from "../workflows/index";
import { schedules } from "../workflows/schedules";
import { HandrailError } from "./engine/errors";
import type { Env } from "./env";
import { createLogger } from "./log";
import { appServices } from "./services/app-services";
import { createPrisma } from "./services/prisma";
import { onShutdown } from "./shutdown";
import { knownMigrations } from "./store/known-migrations";
import { createPool } from "./store/pools";
import { prismaTransactions } from "./store/prisma-db";
import { type DriveReport, drive } from "./worker/drive";
import { BEATS_AT_ONCE } from "./worker/heartbeat";
import { pgTransactions } from "./worker/transactions";

/** Drives in this process at once. Each is a worker of its own; more would only wait for the same cores. */
const MOST_DRIVES = 4;
/** For flushes and claims, of all drives together. */
const ENGINE_CONNECTIONS = 6;
/** Transactional steps at once, of all drives together. */
const APP_CONNECTIONS = 5;
/** A drive is to be back within its time, also when the database is in trouble. */
const LONGEST_STATEMENT_MS = 5_000;

/** Runs workflows in the web process, call by call, where no worker process may stay. Put together on the first call. */
export async function openDrives(
  env: Env,
  { databaseUrl, directUrl }: { databaseUrl: string; directUrl: string },
): Promise<(order: { maxMs: number }) => Promise<DriveReport>> {
  // From the folder that Next serves; next.config.js has it go along where only what is needed does.
  const migrations = await knownMigrations(path.resolve("prisma/migrations"));
  const limits = { databaseUrl, statementTimeoutMs: LONGEST_STATEMENT_MS, idleInTransactionMs: env.leaseMs };
  const pool = createPool({ ...limits, name: "handrail drive", max: ENGINE_CONNECTIONS, onePlan: true });
  const appPool = createPool({ ...limits, name: "handrail drive app", max: APP_CONNECTIONS });
  const heartbeatPool = createPool({
    ...limits,
    databaseUrl: directUrl,
    name: "handrail drive heartbeat",
    max: MOST_DRIVES * BEATS_AT_ONCE,
    statementTimeoutMs: env.leaseMs,
  });
  const prisma = createPrisma(appPool);
  const app = {
    transactions: { app: prismaTransactions(prisma), pg: pgTransactions(appPool) },
    services: appServices,
  };
  const shutdown = new AbortController();
  const driving = new Set<Promise<DriveReport>>();
  onShutdown("the pools of drives", async () => {
    await prisma.$disconnect();
    await Promise.all([pool.end(), appPool.end(), heartbeatPool.end()]);
  });
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
    const one = drive({
      directUrl,
      pool,
      heartbeatPool,
      workflows,
      schedules,
      keepMs: env.keepMs,
      deletes: env.retention,
      app,
      concurrency: env.concurrency,
      leaseMs: env.leaseMs,
      name: `${hostname()}/drive`,
      log: createLogger("drive", env.logLevel),
      migrations,
      maxMs,
      signal: shutdown.signal,
    });
    driving.add(one);
    const done = () => driving.delete(one);
    void one.then(done, done);
    return one;
  };
}
