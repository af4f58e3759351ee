import { setTimeout as delay } from "node:timers/promises";
import type { Pool } from "pg";
import { type App, openApp } from "../app";
import { Blobs } from "../blobs/blobs";
import { withStoredInput } from "../blobs/stored-input";
import { type Duration, toMilliseconds } from "../engine/duration";
import { prepareStart, type StartOptions } from "../engine/runs/start";
import type { Workflow } from "../engine/workflows/workflow";
import { createPool } from "../store/database/pools";
import { type Db, poolDb } from "../store/db";
import { insertRunOnce } from "../store/runs/start-run";
import { endLeases } from "../store/workers/end-leases";
import { takeOverLostRuns } from "../store/workers/take-over";
import { type FaultPoint, setFaultHandler } from "../worker/fault-points";
import { restOf } from "./at-rest";
import { letTimePass } from "./clock";
import { aroundInMovedTime, followCalendar, inMovedTime, later, missingNone } from "./moved-time";
import { readTestRun, type TestRun } from "./read-run";
import { startWorker, type TestWorker, type WorkerSetup } from "./start-worker";

/** Far longer than a busy machine needs: reached only by a run that neither ends nor waits. */
const PATIENCE_MS = 30_000;
const LOOK_AGAIN_MS = 5;
/** What is due after so many looks on end cannot be done, such as a schedule that cannot be written. */
const MOST_LOOKS = 20;

/** What the app gives, with its own services or fakes; see HandrailConfig. */
export interface TestEngineOptions
  extends WorkerSetup,
    Pick<App, "workflows" | "services" | "transactions" | "middleware" | "blobs"> {
  /** A migrated database without other users. */
  databaseUrl: string;
}

/** A worker of your workflows on a test database, with a clock that tests can move. */
export class TestEngine {
  private readonly db: Db;
  private readonly blobs: Blobs;
  private readonly workers: TestWorker[] = [];
  private passedMs = 0;
  /** How many workers have died by `dieAt`. */
  deaths = 0;

  private constructor(
    private readonly options: TestEngineOptions,
    private readonly pool: Pool,
  ) {
    this.db = poolDb(pool);
    this.blobs = new Blobs(this.db, options.blobs);
  }

  static async start(options: TestEngineOptions): Promise<TestEngine> {
    const limits = { statementTimeoutMs: PATIENCE_MS, idleInTransactionMs: PATIENCE_MS };
    const engine = new TestEngine(
      options,
      createPool({ databaseUrl: options.databaseUrl, name: "test engine", max: 2, ...limits }),
    );
    await engine.startWorker();
    return engine;
  }

  /** Now, as workflows have it: what `advance` has let pass is added to the real time. For the dates of a test and its fakes. */
  now(): Date {
    return later(new Date(), this.passedMs);
  }

  /** Starts a run as the app does; returns its id. */
  async start(workflow: Workflow, input: unknown, { runAt, ...options }: StartOptions = {}): Promise<string> {
    const moved = { ...options, ...(runAt && { runAt: later(runAt, -this.passedMs) }) };
    const start = await prepareStart(workflow, input, moved, undefined, this.blobs.bounds);
    return (await insertRunOnce(this.db, await withStoredInput(this.blobs, start))).id;
  }

  /** Resolves when every run that was ready or due is at rest. @throws after 30 s, naming those that are not */
  async drain(): Promise<void> {
    await this.drained();
  }

  /** @returns the time to the first timer, as `restOf` says it */
  private async drained(): Promise<number | null> {
    const deadline = performance.now() + PATIENCE_MS;
    for (let looks = 0; ; ) {
      if (this.worker.isLost()) {
        await takeOverLostRuns(this.db);
        await this.startWorker();
      }
      this.worker.worker.wake();
      const { restless, timerMs, isDue } = await restOf(this.pool, this.names);
      looks = isDue ? looks + 1 : 0;
      if (isDue && looks <= MOST_LOOKS) await this.worker.worker.attendDue();
      else if (restless.length === 0 && !(await this.hasMovedSchedules())) return timerMs;
      if (performance.now() > deadline)
        throw new Error(
          `These runs neither ended nor waited within ${PATIENCE_MS} ms: ${restless.map(({ id, workflow }) => `${workflow} ${id}`).join(", ")}`,
        );
      await delay(LOOK_AGAIN_MS);
    }
  }

  /**
   * Lets time pass, from timer to timer, each drained before the next: 400 days of sleeps take only as long as their
   * steps.
   */
  async advance(duration: Duration): Promise<void> {
    for (let left = toMilliseconds(duration); left > 0; ) {
      // Whole milliseconds, as in the dates that code has: they are the same in each pass.
      const step = Math.min(left, Math.max(1, Math.ceil((await this.drained()) ?? left)));
      this.passedMs += step;
      await letTimePass(this.pool, step);
      left -= step;
    }
    await this.drain();
  }

  /** The run's current status, output, error, and its steps' outcomes. */
  run(runId: string): Promise<TestRun> {
    return readTestRun(this.pool, runId, this.blobs);
  }

  /**
   * The worker dies when it next passes this point; with `step`, only in that step. The next `drain` starts another
   * one, which takes over. A body in flight cannot be ended from outside: its outcome is not recorded.
   */
  dieAt(point: FaultPoint, step?: string): void {
    setFaultHandler(async (passed, detail) => {
      if (passed !== point || (step !== undefined && step !== detail)) return;
      setFaultHandler(undefined);
      this.deaths++;
      const { worker } = this.worker;
      worker.lose();
      await endLeases(this.db, [worker.id]);
      throw new Error(`The worker died at ${point}.`);
    });
  }

  async stop(): Promise<void> {
    setFaultHandler(undefined);
    await Promise.all(this.workers.map((worker) => worker.stop(0)));
    await this.pool.end();
  }

  private get worker(): TestWorker {
    return this.workers.at(-1) as TestWorker;
  }

  private async startWorker(): Promise<void> {
    const { databaseUrl, workflows, schedules = [], middleware = [], ...setup } = this.options;
    const passedMs = () => this.passedMs;
    const app = { ...this.options, middleware: middleware.map((one) => aroundInMovedTime(one, passedMs)) };
    const moved = workflows.map((workflow) => inMovedTime(workflow, passedMs));
    const all = { ...setup, schedules: schedules.map(missingNone) };
    this.workers.push(await startWorker(databaseUrl, moved, (pool) => openApp(app, pool), all));
  }

  private async hasMovedSchedules(): Promise<boolean> {
    return this.passedMs > 0 && (await followCalendar(this.pool, this.passedMs));
  }

  private get names(): string[] {
    return this.options.workflows.map(({ name }) => name);
  }
}
