import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as delay } from "node:timers/promises";
import type { Pool } from "pg";
import { type App, openApp } from "../app";
import type { Workflow } from "../engine/workflows/workflow";
import { createPool } from "../store/database/pools";
import { type Db, poolDb } from "../store/db";
import { inSchema } from "../store/schema";
import { endLeases } from "../store/workers/end-leases";
import { takeOverLostRuns } from "../store/workers/take-over";
import { restOf } from "../testkit/at-rest";
import { startWorker, type TestWorker } from "../testkit/start-worker";
import { type FaultPoint, setFaultHandler } from "../worker/fault-points";
import { openWorkerPools, type WorkerPools } from "../worker/loop/worker-pools";

/** Far longer than a busy machine needs for one statement. */
const PATIENCE_MS = 30_000;
/** A body that never ends does not keep a verification from its end. */
const GOODBYE_MS = 5_000;
/** Of each kind that a worker has. */
const CONNECTIONS = 2;

/** One worker of a lane: what it passes is known by the context that it was started in. */
interface Living {
  lane: Lane;
  workflows: readonly Workflow[];
  test?: TestWorker;
  dead: boolean;
}

const workers = new AsyncLocalStorage<Living>();

/** What the trial on a lane does at a boundary: true lets the worker die there. */
type AtBoundary = (point: FaultPoint, detail: string) => Promise<boolean>;

/*
 * A database and the worker on it, for one trial after another. Several lanes of one process do not disturb each other: a
 * worker that passes a boundary is known by the context it was started in, and each lane's clock is its database's.
 */
export class Lane {
  readonly pool: Pool;
  readonly db: Db;
  /** Set by the trial that is on. */
  atBoundary: AtBoundary = async () => false;
  /** Shared by all workers of the lane, one after another: PostgreSQL plans the engine's statements once per connection. */
  private pools: WorkerPools | undefined;
  private living: Living | undefined;
  private stopped: Promise<void> | undefined;
  private readonly stopping: Promise<unknown>[] = [];
  private readonly claims = new Set<string>();

  constructor(
    readonly databaseUrl: string,
    private readonly app: Pick<App, "transactions">,
    /** Each as the worker is to run it. */
    private readonly workflows: () => readonly Workflow[],
  ) {
    const limits = { statementTimeoutMs: PATIENCE_MS, idleInTransactionMs: PATIENCE_MS };
    this.pool = createPool({ databaseUrl, name: "handrail verify", max: 2, ...limits });
    this.pool.on("error", () => undefined);
    this.db = poolDb(this.pool);
    setFaultHandler(atFaultPoint);
  }

  /** A worker with every workflow is there, and looks for work. */
  async keepRunning(): Promise<void> {
    if (this.living?.dead) {
      await takeOverLostRuns(this.db);
      this.letGo();
    }
    const workflows = this.workflows();
    if (workflows.some((workflow) => !this.living?.workflows.includes(workflow))) this.letGo();
    this.living ??= await this.newWorker(workflows);
  }

  /** Something is new, or due. */
  wake(): void {
    this.living?.test?.worker.wake();
  }

  /** Whether the last claim took something. */
  async holdsNewRun(): Promise<boolean> {
    const { rows } = await this.pool.query<{ claim: string }>(
      inSchema("select id || ' ' || epoch as claim from handrail.run where worker_id is not null"),
    );
    const before = this.claims.size;
    for (const { claim } of rows) this.claims.add(claim);
    return this.claims.size > before;
  }

  async haveAllEnded(): Promise<boolean> {
    const { rowCount } = await this.pool.query(inSchema("select from handrail.run where finished_at is null limit 1"));
    return rowCount === 0;
  }

  private async newWorker(workflows: readonly Workflow[]): Promise<Living> {
    const living: Living = { lane: this, workflows, dead: false };
    this.pools ??= openWorkerPools({
      databaseUrl: this.databaseUrl,
      name: "verify",
      leaseMs: PATIENCE_MS,
      engine: CONNECTIONS,
      app: CONNECTIONS,
    });
    const { pools } = this;
    const start = () =>
      startWorker(this.databaseUrl, workflows, (pool) => openApp(this.app, pool), {
        name: "verify",
        leaseMs: PATIENCE_MS,
        pools,
      });
    living.test = await workers.run(living, start);
    return living;
  }

  /** It stops while the next one begins. */
  private letGo(): void {
    const stopped = this.living?.test?.stop(0).catch(() => undefined);
    this.living = undefined;
    const { pools } = this;
    const isFree = ({ totalCount, idleCount }: Pool) => totalCount === idleCount;
    if (!pools || (isFree(pools.pool) && isFree(pools.appPool))) {
      this.stopping.push(stopped ?? Promise.resolve());
      return;
    }
    // A body of the dead worker may keep its connection for as long as it likes: the next worker has others.
    this.stopping.push(Promise.resolve(stopped).then(() => pools.end().catch(() => undefined)));
    this.pools = undefined;
  }

  /** As far as the database can tell, the process ended there: its lease ends, and it writes nothing more. */
  async die(living: Living, point: FaultPoint): Promise<never> {
    living.dead = true;
    const worker = living.test?.worker;
    worker?.lose();
    if (worker) await endLeases(this.db, [worker.id]);
    await takeOverLostRuns(this.db);
    throw new Error(`The worker died at ${point}.`);
  }

  /** When nothing is begun or due: the time to the first timer, or that there is none. Otherwise undefined. */
  async rest(): Promise<{ timerMs: number | null } | undefined> {
    if (this.living?.dead || !this.living?.test?.worker.isIdle) return undefined;
    const known = this.workflows();
    const names = known.map(({ name }) => name);
    const { restless, timerMs } = await restOf(this.pool, names);
    // A child that was started meanwhile may be of a workflow that nobody knew before.
    return restless.length === 0 && this.workflows().length === known.length ? { timerMs } : undefined;
  }

  pause(): Promise<void> {
    return delay(2);
  }

  /** Safe to call twice. */
  stop(): Promise<void> {
    this.stopped ??= this.end();
    return this.stopped;
  }

  private async end(): Promise<void> {
    this.letGo();
    const goodbye = Promise.all(this.stopping).then(() => this.pools?.end());
    await Promise.race([goodbye, delay(GOODBYE_MS, undefined, { ref: false })]);
    await this.pool.end();
  }
}

async function atFaultPoint(point: FaultPoint, detail: string): Promise<void> {
  const living = workers.getStore();
  // Of another test in this process, or of a worker that is dead: what is left of its code goes nowhere.
  if (!living) return;
  if (living.dead) throw new Error(`The worker is dead, and passed ${point}.`);
  if (await living.lane.atBoundary(point, detail)) await living.lane.die(living, point);
}
