import type { RunStatus } from "../../lib/engine/runs/run";
import type { StartOptions } from "../../lib/engine/runs/start";
import type { Workflow } from "../../lib/engine/workflows/workflow";
import type { Desk } from "../../lib/operator/desk";
import type { Promised } from "../../lib/store/database/doctor-rules";
import { type Db, poolDb } from "../../lib/store/db";
import type { TestDatabase } from "../../lib/testing/database/database";
import { startProxy, type TestProxy } from "../../lib/testing/database/proxy";
import { aDesk } from "../../lib/testing/desk";
import { type ChildSetup, ChildWorker } from "../../lib/testing/processes/crash";
import { until } from "../../lib/testing/until";
import { start, startWorker, type TestWorker, type WorkerSetup } from "../../lib/testing/workers/a-worker";
import { FLOWS, missHours } from "./flows/hours";
import { blobs, punctual, schedules, workflows } from "./flows/workflows";
import { judge, type Violation } from "./judge";
import { SAMPLES, type Sample } from "./load";
import { attend } from "./operator";
import type { Random } from "./random";
import { isMoving, relativesOf, unendedOf } from "./relatives";
import type { Rig } from "./rig";
import type { GivenRun } from "./stage";
import { endTrouble } from "./world";

/** Of the workers that recover: long enough for a busy machine. */
const LEASE_MS = 6_000;
/**
 * Lease of workers in separate processes: it outlives the start of one on a busy machine. A fault takes it away at
 * once.
 */
export const CHILD_LEASE_MS = 12_000;
/** Within this time everything has to have come to its end after a fault. Far longer than it takes. */
const RECOVERY_MS = 90_000;

interface WorkersSetup extends WorkerSetup {
  url?: string;
  workflows?: readonly Workflow[];
}

/** Where one fault strikes: a database, runs on it, and everything that works on them. */
export class Scene {
  readonly runs: GivenRun[] = [];
  readonly violations: Violation[] = [];
  /** How many runs the verdict was on: those that others have started are among them. */
  judged = 0;
  private readonly workers: TestWorker[] = [];
  private readonly children: ChildWorker[] = [];
  private readonly proxies: TestProxy[] = [];
  private readonly closers: (() => Promise<unknown>)[] = [];
  /** What the latest worker runs. */
  private known: readonly Workflow[] = workflows;
  private words = 0;
  /** What others do to the runs. */
  private readonly companions: Promise<unknown>[] = [];
  private hoursAreMissed = false;
  private closed: Promise<void> | undefined;

  constructor(
    readonly rig: Rig,
    readonly database: TestDatabase,
    readonly random: Random,
    private readonly name: string,
  ) {}

  get db(): Db {
    return poolDb(this.database.pool);
  }

  rows = async <Row = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await this.database.pool.query(text, values)).rows as Row[];

  /** Runs of each sample workflow, or of the named ones, every one acknowledged; their company comes with them. */
  async load(each = 2, only?: readonly string[]): Promise<GivenRun[]> {
    const given: GivenRun[] = [];
    const samples = SAMPLES.filter(({ workflow }) => only?.includes(workflow.name) ?? true);
    if (samples.some(({ workflow }) => workflow === punctual)) await this.missHours();
    for (const sample of samples)
      for (let count = 0; count < each * (sample.times ?? 1); count++) {
        const run = await this.startSample(sample);
        if (run) given.push(run);
      }
    return given;
  }

  private async startSample({ workflow, input, mayBe, company }: Sample): Promise<GivenRun | undefined> {
    const word = this.word();
    if (!input) return undefined;
    const run = await this.start(workflow, input(word));
    if (mayBe) this.allow(run, ...mayBe);
    const done = company?.(this, run, word);
    if (done) this.companions.push(done.catch((error) => this.blame("P1", `the company of a run failed: ${error}`)));
    return run;
  }

  /** Once: from then on, the schedule goes by the clock. */
  private async missHours(): Promise<void> {
    if (this.hoursAreMissed) return;
    this.hoursAreMissed = true;
    await missHours(this.db, this.rows);
  }

  /** A word that no other run of any trial has. */
  word(): string {
    return `${this.name}-${++this.words}`;
  }

  async start(workflow: Workflow, input: object, options?: StartOptions): Promise<GivenRun> {
    const id = await start(this.db, workflow, input, options);
    return this.note({ id, workflow: workflow.name, input, mayBe: ["completed"] });
  }

  /** Adopts a run that another client has started. */
  note(run: GivenRun): GivenRun {
    this.runs.push(run);
    return run;
  }

  allow(run: GivenRun, ...mayBe: RunStatus[]): void {
    run.mayBe = mayBe;
  }

  async worker({
    url = this.database.url,
    workflows: known = workflows,
    ...setup
  }: WorkersSetup = {}): Promise<TestWorker> {
    const fires = known.includes(punctual) ? schedules : [];
    const worker = await startWorker({ url }, known, { leaseMs: LEASE_MS, schedules: fires, blobs, ...setup });
    this.known = known;
    this.workers.push(worker);
    return worker;
  }

  child(setup: ChildSetup & { url?: string } = {}): ChildWorker {
    const child = ChildWorker.spawn(
      { url: setup.url ?? this.database.url },
      { leaseMs: CHILD_LEASE_MS, workflows: FLOWS, ...setup },
    );
    this.children.push(child);
    return child;
  }

  async proxy(): Promise<TestProxy> {
    const proxy = await startProxy(this.database.url);
    this.proxies.push(proxy);
    return proxy;
  }

  /** As its end by itself would be, which a busy machine would bring about at any other time, too. */
  async endLeaseOf({ pid }: ChildWorker): Promise<void> {
    await this.rows(
      `update handrail.worker set lease_expires_at = clock_timestamp() - interval '1 ms'
      where stopped_at is null and name = $1`,
      [`child/${pid}`],
    );
  }

  /** All that work in this process. */
  async stopWorkers(): Promise<void> {
    await Promise.all(this.workers.splice(0).map((worker) => worker.stop()));
  }

  desk(actor = "operator", requestKey?: string): Desk {
    return aDesk(this.db, { actor, ...(requestKey !== undefined && { requestKey }) });
  }

  blame(promise: Promised, what: string): void {
    this.violations.push({ promise, what });
  }

  check(holds: boolean, promise: Promised, what: string): void {
    if (!holds) this.blame(promise, what);
  }

  async statusOf({ id }: Pick<GivenRun, "id">): Promise<RunStatus> {
    const [row] = await this.rows<{ status: RunStatus }>("select status from handrail.run where id = $1", [id]);
    return (row as { status: RunStatus }).status;
  }

  /**
   * Until each of these runs, and of their children, has ended, or waits for an operator. A worker that lost its lease
   * is replaced, as a launcher does.
   */
  untilQuiet(runs: readonly GivenRun[] = this.runs): Promise<unknown> {
    return until(
      "The end of every run",
      async () => {
        if (this.workers.at(-1)?.isLost()) await this.worker({ workflows: this.known });
        return this.isQuiet(runs);
      },
      RECOVERY_MS,
    );
  }

  async isQuiet(runs: readonly GivenRun[] = this.runs): Promise<boolean> {
    return !(await isMoving(this.rows, runs, runs === this.runs));
  }

  /** A fresh worker and a careful person, until every run has ended. What does not end is found by the judge. */
  async recover(known: readonly Workflow[] = workflows): Promise<void> {
    await endTrouble(this.rig);
    await this.worker({ workflows: known });
    await Promise.all(this.companions);
    const deadline = performance.now() + RECOVERY_MS;
    for (;;) {
      await this.untilQuiet().catch(() => undefined);
      const moving = await unendedOf(this.rows, this.runs);
      if (moving.length === 0 || performance.now() > deadline) break;
      await attend(this.rig, this.database.pool, this.desk("careful person"), moving);
    }
  }

  async verdict(): Promise<Violation[]> {
    const relatives = await relativesOf(this.rows, this.runs);
    this.judged = this.runs.length + relatives.length;
    return [...this.violations, ...(await this.verdictOf([...this.runs, ...relatives]))];
  }

  /** On these runs, and on the database as a whole. */
  verdictOf(runs: readonly GivenRun[]): Promise<Violation[]> {
    return judge(this.rig, this.database, runs);
  }

  /** Resources that a fault has opened; closed when no worker uses the database any more, before it is dropped. */
  atClose(closer: () => Promise<unknown>): void {
    this.closers.push(closer);
  }

  close(): Promise<void> {
    this.closed ??= this.closeAll();
    return this.closed;
  }

  private async closeAll(): Promise<void> {
    await endTrouble(this.rig);
    for (const proxy of this.proxies) proxy.heal();
    await Promise.all(this.children.map((child) => child.kill()));
    await Promise.all(this.workers.map((worker) => worker.stop(100)));
    await Promise.all(this.proxies.map((proxy) => proxy.close()));
    // One after the other: the last to leave a server stops it, and must not do so under another that is still leaving.
    for (const close of this.closers) await close();
    await this.database.drop();
  }
}
