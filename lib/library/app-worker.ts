import { backoffMs, sleep } from "../store/database/backoff";
import type { OpenedWorker, WorkerCalls } from "./open-worker";

type Open = (calls: WorkerCalls) => Promise<OpenedWorker>;

/** A worker inside the app's own process. Where a worker's process would end and be started again, another one begins here. */
export class AppWorker {
  private current: OpenedWorker | undefined;
  private replacing: Promise<void> | undefined;
  private starting: Promise<void> | undefined;
  private stopped: Promise<void> | undefined;

  /** Made by `handrail.worker()`. */
  constructor(private readonly open: Open) {}

  /**
   * Resolves when it takes runs; called again, the same, or another try after one that failed. Waits while a migration asks workers to stop,
   * until it is itself stopped.
   * @throws HandrailError `unavailable` on a database that this version does not fit, `invalid_schedule`
   */
  start(): Promise<void> {
    this.starting ??= this.begin().catch((error: unknown) => {
      if (!this.stopped) this.starting = undefined;
      throw error;
    });
    return this.starting;
  }

  /**
   * Takes nothing more, lets steps in flight finish, and hands the rest back: another worker goes on at once. For the
   * process's SIGTERM, which is the app's. Safe to call twice.
   * @param drainMs how long steps in flight may take; default 10,000
   */
  stop(drainMs?: number): Promise<void> {
    this.stopped ??= this.end(drainMs);
    return this.stopped;
  }

  private async begin(): Promise<void> {
    const opened: OpenedWorker = await this.open({
      onLost: () => this.replace(opened, "lost"),
      onDrain: () => this.replace(opened, "draining"),
    });
    this.current = opened;
    if (this.stopped) return;
    await opened.start().catch(async (error: unknown) => {
      // One that is stopped before it takes runs does not take any: that is no failure.
      if (this.stopped) return;
      this.current = undefined;
      await opened.stop(0).catch(() => undefined);
      throw error;
    });
  }

  /** Its lease is lost, or a migration asks it to stop. */
  private replace(old: OpenedWorker, because: "lost" | "draining"): void {
    if (this.current !== old || this.stopped) return;
    this.current = undefined;
    this.replacing = this.beginAnew(old, because);
  }

  private async beginAnew(old: OpenedWorker, because: "lost" | "draining"): Promise<void> {
    const end = old.stop(because === "lost" ? 0 : undefined).catch((error: unknown) => {
      old.log.warn({ err: error }, "a worker did not stop cleanly");
    });
    // A lost one's bodies may ignore that they are aborted. What they write is refused.
    if (because === "draining") await end;
    for (let failures = 0; !this.stopped; failures++) {
      try {
        return await this.begin();
      } catch (error) {
        old.log.error({ err: error }, "could not start a worker again; trying again");
        await sleep(backoffMs(failures));
      }
    }
  }

  private async end(drainMs?: number): Promise<void> {
    // Also one that has not begun: it may be waiting for the end of a migration.
    await this.current?.stop(drainMs);
    await this.starting?.catch(() => undefined);
    await this.replacing;
    await this.current?.stop(drainMs);
  }
}
