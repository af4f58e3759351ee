import { afterAll, afterEach, beforeAll } from "vitest";
import type { StartOptions } from "../../engine/runs/start";
import type { Workflow } from "../../engine/workflows/workflow";
import { type Db, poolDb } from "../../store/db";
import { setFaultHandler } from "../../worker/fault-points";
import { createTestDatabase, type TestDatabase } from "../database/database";
import { type History, historyOf, untilEnded, untilResting, untilRun } from "../database/history";
import { expectInvariants } from "../database/invariants";
import { callWitness } from "../database/witness";
import { start, startWorker, type TestWorker, type WorkerSetup } from "./a-worker";

interface EngineWorkerSetup extends WorkerSetup {
  /** The database's address for this worker, such as a proxy's. */
  url?: string;
}

/**
 * A database for the test file, and workers on it that end with each test; then every invariant is checked. Call it at
 * the top of a file. Give the workflows of each test unique names, so that its worker does not claim another's runs.
 */
export function anEngine() {
  let database: TestDatabase;
  let workers: TestWorker[] = [];
  beforeAll(async () => {
    database = await createTestDatabase();
    await callWitness(database.pool);
  });
  afterEach(async () => {
    setFaultHandler(undefined);
    const stopping = workers;
    // Another test must not wait for them if they hang.
    workers = [];
    await Promise.all(stopping.map((worker) => worker.stop(100)));
    await expectInvariants(database.pool);
  });
  afterAll(() => database.drop());

  const engine = {
    get database(): TestDatabase {
      return database;
    },
    get db(): Db {
      return poolDb(database.pool);
    },
    rows: async <Row = Record<string, unknown>>(text: string, values: unknown[] = []) =>
      (await database.pool.query(text, values)).rows as Row[],
    async worker(workflows: readonly Workflow[], setup: EngineWorkerSetup = {}): Promise<TestWorker> {
      const worker = await startWorker({ url: setup.url ?? database.url }, workflows, setup);
      workers.push(worker);
      return worker;
    },
    start: (workflow: Workflow, input?: unknown, options?: StartOptions) =>
      start(poolDb(database.pool), workflow, input, options),
    /** With a separate worker, from its start to its end. */
    async runToEnd(workflow: Workflow, input?: unknown, setup?: EngineWorkerSetup): Promise<History> {
      const runId = await engine.start(workflow, input);
      await engine.worker([workflow], setup);
      return engine.untilEnded(runId);
    },
    /** With a separate worker, until it has ended or waits. */
    async runToRest(workflow: Workflow, input?: unknown, setup?: EngineWorkerSetup): Promise<History> {
      const runId = await engine.start(workflow, input);
      await engine.worker([workflow], setup);
      return engine.untilResting(runId);
    },
    historyOf: (runId: string) => historyOf(database.pool, runId),
    untilRun: (runId: string, holds: (history: History) => boolean, what?: string) =>
      untilRun(database.pool, runId, holds, what),
    untilEnded: (runId: string) => untilEnded(database.pool, runId),
    untilResting: (runId: string) => untilResting(database.pool, runId),
    /** Expires every lease by the database's clock: live workers are treated as dead. */
    async endLeases(): Promise<void> {
      await database.pool.query(
        "update handrail.worker set lease_expires_at = clock_timestamp() - interval '1 ms' where stopped_at is null",
      );
    },
  };
  return engine;
}

export type TestEngine = ReturnType<typeof anEngine>;
