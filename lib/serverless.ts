import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import type { App } from "./app";
import { HandrailError } from "./engine/errors";
import { equip, type WorkerSetting } from "./library/open-worker";
import { knownMigrations } from "./store/database/known-migrations";
import { type DriveReport, drive } from "./worker/loop/drive";

/** Concurrent drives in this process. Each is a separate worker; more would compete for the same cores. */
const MOST_DRIVES = 4;
/** Of one drive, which must return within its time, also when the database is in trouble. */
const POOLS = { name: "handrail drive", engine: 4, app: 5, statementTimeoutMs: 5_000 };
/** A body that ignores its signal may keep a connection: the drive waits no longer than this. */
const LONGEST_GOODBYE_MS = 500;

export interface Drives {
  drive(order: { maxMs: number }): Promise<DriveReport>;
  /** Ends those under way as their time's end does. */
  close(): Promise<void>;
}

/**
 * Runs workflows in a web process, call by call, where no worker process can stay.
 * @param directory of the migrations that this code was written for; default: beside the code
 */
export async function openDrives(app: App, setting: WorkerSetting, directory?: string): Promise<Drives> {
  const migrations = await knownMigrations(directory);
  const shutdown = new AbortController();
  const driving = new Set<Promise<DriveReport>>();
  const driveOnce = ({ maxMs }: { maxMs: number }) => {
    if (driving.size >= MOST_DRIVES)
      throw new HandrailError(
        "too_busy",
        `${MOST_DRIVES} drives are under way in this process already. Call again later.`,
      );
    const one = withConnections(app, setting, (options) =>
      drive({ ...options, name: `${hostname()}/drive`, migrations, maxMs, signal: shutdown.signal }),
    );
    driving.add(one);
    const done = () => driving.delete(one);
    void one.then(done, done);
    return one;
  };
  const close = async () => {
    shutdown.abort();
    await Promise.allSettled(driving);
  };
  return { drive: driveOnce, close };
}

/**
 * Separate for each drive: the process may be suspended between two calls, and the server may have changed when it
 * resumes.
 */
async function withConnections<Result>(
  app: App,
  setting: WorkerSetting,
  work: (options: ReturnType<typeof equip>["options"]) => Promise<Result>,
): Promise<Result> {
  const { options, close } = equip(app, setting, POOLS);
  try {
    return await work(options);
  } finally {
    const goodbye = close().catch(() => undefined);
    await Promise.race([goodbye, delay(LONGEST_GOODBYE_MS, undefined, { ref: false })]);
  }
}
