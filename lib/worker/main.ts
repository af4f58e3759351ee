import type { App } from "../app";
import { isHandrailError } from "../engine/errors";
import { readEnv } from "../env";
import { addressesOf } from "../env-of-app";
import { type OpenedWorker, openWorker } from "../library/open-worker";
import { WorkerMetrics } from "../library/worker-metrics";
import type { PortSettings } from "../library/worker-port";
import { createLogger, type Logger } from "../log";
import { setPayloadKeys } from "../store/payloads";
import { setSchema } from "../store/schema";
import { onceReachable } from "./loop/once-reachable";

/** A signal to all processes at once also reaches the parent that forwards it to us: that is not a second one. */
const SAME_SIGNAL_MS = 500;

/** The worker process of this app: ends with the process, by a signal or when a migration asks for it. */
export async function runWorker(app: App): Promise<void> {
  const env = readEnv();
  const { log = createLogger("worker", env.logLevel) } = app;
  setSchema(env.schema);
  setPayloadKeys(env.payloadKeys);
  const metrics = new WorkerMetrics();
  const opened = await openWorker(
    app,
    { env, addresses: addressesOf(app, env), log, metrics },
    {},
    {
      // A fresh process is a fresh worker; this one's memory belongs to a lost lease.
      onLost: () => setTimeout(() => process.exit(75), 1_000),
      onDrain: () => {
        log.info("draining for a migration");
        void end();
      },
    },
  );
  const end = ending(opened, log);
  const stop = stoppedBySignals(end);
  // A workflow's stray promise is its author's bug; the other runs of this process must not pay for it.
  process.on("unhandledRejection", (error) => log.error({ err: error }, "unhandled promise rejection"));
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  const { workerPort: at, metricsToken } = env;
  if (at) await openPort({ at, metricsToken, metrics, log });
  await begin(opened, end, log);
  log.info({ workflows: app.workflows.map(({ name }) => name), concurrency: env.concurrency }, "ready");
}

/** Loaded where it is asked for. */
const openPort = async (settings: PortSettings): Promise<void> =>
  new (await import("../library/worker-port")).WorkerPort(settings).open();

/** Asked again, the same end. */
function ending(opened: OpenedWorker, log: Logger): () => Promise<void> {
  let ended: Promise<void> | undefined;
  const end = async () => {
    log.info("stopping: letting steps in flight finish");
    await opened.stop();
    log.info("stopped");
    process.exit(0);
  };
  return () => {
    ended ??= end();
    return ended;
  };
}

/** The first signal lets steps in flight finish, also while a migration drains; a second one does not. */
function stoppedBySignals(end: () => Promise<void>): () => Promise<void> {
  let since: number | undefined;
  return async () => {
    if (since !== undefined && performance.now() - since >= SAME_SIGNAL_MS) process.exit(1);
    since ??= performance.now();
    await end();
  };
}

async function begin(opened: OpenedWorker, end: () => Promise<void>, log: Logger): Promise<void> {
  try {
    await onceReachable(opened.start, log);
  } catch (error) {
    // Such as one that waited for the end of a migration.
    if (opened.isStopping()) return end();
    // The message says what to do; a supervisor restarts the process.
    if (!isHandrailError(error)) throw error;
    log.fatal(error.message);
    process.exit(1);
  }
}
