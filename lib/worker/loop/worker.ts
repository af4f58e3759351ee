import type { Pool } from "pg";
import { Blobs } from "../../blobs/blobs";
import type { AuditKeys } from "../../engine/audit/audit-keys";
import type { Workflow } from "../../engine/workflows/workflow";
import { newestOf, VERSION_WAIT_MS } from "../../engine/workflows/workflow-versions";
import type { Logger } from "../../log";
import { backoffMs, sleep } from "../../store/database/backoff";
import { Listener } from "../../store/database/listener";
import { Notifier } from "../../store/database/notifier";
import { workChannel } from "../../store/database/notify";
import type { Timeline } from "../../store/database/timeline";
import { type Db, poolDb } from "../../store/db";
import type { News } from "../../store/workers/beat";
import type { ClaimedRun } from "../../store/workers/claim-runs";
import { leasesLostOnHost, markWorkerStopped, markWorkerStopping } from "../../store/workers/workers";
import { codeRequestChannel } from "../../store/workflows/code-notes";
import { findTracer } from "../../traces/tracing";
import type { OpenApp } from "../app";
import { GOES_ON, PAUSE_MS, pauseAfter } from "../claims/claim-pause";
import { shareOf } from "../claims/claim-share";
import { Claimer } from "../claims/claimer";
import { driveClaim, type Observation, type WorkerMeans } from "../claims/drive-claim";
import { publishEnd } from "../claims/publish-end";
import { Tally } from "../claims/tally";
import type { Duties } from "../duties/duties";
import { dutiesOf } from "../duties/duties-of";
import { faultPoint } from "../fault-points";
import { othersOf } from "../others/others-of";
import { type Pass, passOf } from "../passes/pass";
import { WriteBuffer } from "../records/write-buffer";
import { onceAdmitted } from "./admission";
import { Alarm } from "./alarm";
import { Caution } from "./caution";
import { Heartbeat } from "./heartbeat";
import { type Registration, register } from "./register";
import { Wakers } from "./wakers";
import type { WorkerLoad } from "./worker-load";

/** A claim for a few free slots waits this long for more of them. */
const GATHER_MS = 5;
/** Bodies get this long to finish when the worker stops; then they are aborted and the rest is handed back. */
const DRAIN_MS = 10_000;

export interface WorkerOptions extends Registration, Observation {
  /** The keys of the audit's rows, for runs that a schedule cancels. */
  auditKeys: AuditKeys;
  /** For LISTEN: the database itself, never a pooler. */
  directUrl: string;
  /**
   * Shared by all pools of this process: when the server's history forks, every run is dropped. Default: not watched.
   */
  timeline?: Timeline;
  /** Engine statements. `heartbeatPool` is separate, so that a heartbeat never queues behind work. */
  pool: Pool;
  heartbeatPool: Pool;
  /**
   * How long no live worker must have had the version of a begun run before another version continues it, as its code's
   * `drift` says, in milliseconds. Default a minute.
   */
  versionWaitMs?: number;
  /** False: this worker deletes nothing. Default true. */
  deletes?: boolean;
  app: OpenApp;
  log: Logger;
  /** Called when the lease is lost: the process must not continue as this worker. */
  onLost: () => void;
  /** What it counts its work in, shared with those before and after it. Default: a new one. */
  tally?: Tally;
  /** How often progress is published to consoles; ends and runs that need attention are never delayed. Default 250. */
  publishProgressMs?: number;
  /** Called when a migration asks this worker to stop: the callback must stop it. Until then it continues. */
  onDrain?: () => void;
}

/** Claims runs, drives each to the end of its claim, and takes over from silent workers. */
export class Worker {
  readonly tally: Tally;
  private readonly db: Db;
  private readonly byName: Map<string, Workflow>;
  private readonly passes = new Map<string, Pass & { done: Promise<void> }>();
  /** Passes whose code has not ended: one that only waits for its last record's commit takes no slot. */
  private busy = 0;
  /** The last claim left some, or had no room. Otherwise what comes since rings the alarm: a freed slot finds nothing. */
  private moreReady = true;
  /** Workers that compete for the same work, including itself. */
  private sharers = 1;
  private readonly notifier: Notifier;
  private readonly buffer: WriteBuffer;
  private readonly alarm = new Alarm();
  private readonly wakers: Wakers;
  private readonly means: WorkerMeans;
  private readonly blobs: Blobs;
  private readonly listener: Listener;
  private claimer!: Claimer;
  private caution!: Caution;
  private heartbeat: Heartbeat | undefined;
  private duties: Duties | undefined;
  private workerId = 0;
  private stopping = false;
  private lost = false;
  private joining: Promise<Duties> | undefined;
  private loop: Promise<void> | undefined;

  constructor(private readonly options: WorkerOptions) {
    this.db = poolDb(options.pool);
    this.byName = new Map(newestOf(options.workflows).map((workflow) => [workflow.name, workflow]));
    this.notifier = new Notifier(this.db, options.publishProgressMs);
    this.tally = options.tally ?? new Tally();
    this.buffer = new WriteBuffer(this.db, (runIds) => this.notifier.change(runIds), this.tally);
    this.wakers = new Wakers(this.db, (woken) => {
      // Those that other workers hold learn of it with their next heartbeat.
      for (const runId of woken) this.passes.get(runId)?.rest.wake();
      this.notifier.change(woken);
      this.notifier.work();
      this.alarm.ring();
    });
    this.blobs = new Blobs(this.db, options.app.blobs, {
      at: faultPoint,
      onTrouble: (about) => options.log.warn(about, "a value could not be put into the blob store; trying again"),
    });
    const others = othersOf(options, this.passes, this.notifier, this.wakers.parents);
    this.means = { ...options, others, permits: this.wakers.permits, blobs: this.blobs };
    options.timeline?.onFork(() => this.lose("another server took over, which may lack what was committed last"));
    this.listener = new Listener(options.directUrl, [workChannel(), codeRequestChannel()], {
      onNote: (channel) => (channel === workChannel() ? this.alarm.ring() : this.duties?.lookForCodeRequests()),
      onConnect: () => this.alarm.ring(),
      onDeaf: (message) => options.log.warn(message),
    });
  }

  /** Waits while a migration asks workers to stop. @throws HandrailError on an incompatible schema; StandAside once it is to stop */
  async start(): Promise<void> {
    this.joining = onceAdmitted(
      () => this.join(),
      this.options.log,
      () => this.stopping,
    );
    const duties = await this.joining;
    if (this.stopping) return;
    void this.listener.run();
    this.loop = this.run();
    duties.startAll(this.options.deletes ?? true);
  }

  /** Registers and starts the heartbeat. Claims nothing by itself: the caller calls `tick` (drive.ts). */
  async join(): Promise<Duties> {
    const { leaseMs, heartbeatPool, workflows, versionWaitMs = VERSION_WAIT_MS, auditKeys, log } = this.options;
    findTracer();
    this.workerId = await register(this.db, this.options);
    this.caution = new Caution(leaseMs, await leasesLostOnHost(this.db, this.workerId));
    this.claimer = new Claimer(this.db, this.workerId, workflows, versionWaitMs, () => [...this.passes.keys()]);
    const { workerId, byName, tally, blobs } = this;
    const of = { workerId, workflows: byName, versions: workflows, versionWaitMs, auditKeys, log, tally, blobs };
    const glances = { rests: () => this.heartbeat?.rests ?? false, onNews: (n: News) => this.heartbeat?.hear(n) };
    this.duties = dutiesOf(this.db, { ...of, ...glances }, this.notifier, this.alarm);
    const events = {
      onBeat: (rests: boolean) => this.caution.onBeat(performance.now(), rests) && this.alarm.ring(),
      onNews: (news: News) => this.hear(news),
      onNoNews: (err: unknown) => log.warn({ err }, "cannot read what is asked of this worker; retrying"),
      onLost: () => this.lose(),
    };
    const running = () => this.passes.size;
    // Once glances bring the news.
    const mayRest = () => this.loop !== undefined && running() === 0 && !this.claimer.isInDoubt && this.caution.isOver;
    this.heartbeat = new Heartbeat(poolDb(heartbeatPool), workerId, { leaseMs, running, mayRest }, events, tally);
    await this.heartbeat.begin();
    return this.duties;
  }

  private hear(news: News): void {
    for (const runId of news.cancelled) this.passes.get(runId)?.rest.stop("cancelled");
    for (const runId of news.paused) this.passes.get(runId)?.rest.comeToRest();
    this.hold(news.heldWorkflows);
    for (const runId of news.woken) this.passes.get(runId)?.rest.wake();
    this.sharers = Math.max(news.sharers, 1);
    if (news.untold) this.wakers.parents.sweep();
    this.duties?.follow(news);
    if (news.draining && !this.stopping) this.options.onDrain?.();
  }

  /** Of its registration; 0 until then. */
  get id(): number {
    return this.workerId;
  }

  /** A run was started in this process: checks for it at once, without waiting for a note. */
  wake(): void {
    this.alarm.ring();
  }

  /** Schedules and starts that are due now, which it would learn of with its next heartbeat. */
  async attendDue(): Promise<void> {
    await this.duties?.attendDue();
  }

  /** It is stopping, or has lost its lease: it claims nothing more. */
  get isStopping(): boolean {
    return this.stopping;
  }

  /** What it has in hand now. */
  get load(): WorkerLoad {
    return {
      slots: this.options.concurrency,
      used: this.busy,
      records: this.buffer.waitingRecords,
      leaseMs: this.heartbeat?.leaseMs ?? this.options.leaseMs,
      silentMs: this.heartbeat?.silentMs ?? null,
      isStopping: this.stopping,
    };
  }

  /** None of its claims is in progress. */
  get isIdle(): boolean {
    return this.passes.size === 0 && this.wakers.isIdle;
  }

  /** Resolves when the current claims are over; others may have been claimed meanwhile. */
  async untilIdle(): Promise<void> {
    await Promise.all([...this.passes.values()].map(({ done }) => done));
    await this.wakers.settled();
  }

  /** Until there may be something to claim, at most `ms` milliseconds. */
  rest(ms: number): Promise<void> {
    return this.alarm.wait(ms);
  }

  private async run(): Promise<void> {
    for (let failures = 0; !this.stopping; ) {
      try {
        await this.rest(await this.tick());
        failures = 0;
      } catch (error) {
        this.options.log.warn({ err: error }, "could not claim runs; trying again");
        await sleep(backoffMs(failures++));
      }
    }
  }

  /** One round: claims what there is room for, and returns the milliseconds until the next check. */
  async tick(): Promise<number> {
    const limit = Math.min(this.caution.placesOf(this.options.concurrency) - this.busy, shareOf(this.sharers));
    if (limit <= 0 || this.stopping) {
      this.moreReady = true;
      return PAUSE_MS;
    }
    await faultPoint("claim:before");
    const claims = (leaseMs: number | null) => this.claimer.claim(limit, this.tally, leaseMs);
    const claim = await (this.heartbeat as Heartbeat).during(claims, async ({ runs }) => {
      await faultPoint("claim:after");
      for (const run of this.lost ? [] : runs) this.take(run);
    });
    if (this.lost) return PAUSE_MS;
    this.hold(claim.held ?? []);
    this.notifier.change(claim.runs.map((run) => run.id));
    // Due runs fill half a claim at most: this many may mean that there are more.
    this.moreReady = claim.runs.length >= limit / 2;
    return this.moreReady ? 0 : pauseAfter(claim, this.claimer.isInDoubt);
  }

  /** An operator has paused these workflows: their runs stop as at a pause. */
  private hold(workflows: readonly string[]): void {
    if (workflows.length === 0) return;
    for (const { claim, rest } of this.passes.values()) if (workflows.includes(claim.run.workflow)) rest.comeToRest();
  }

  private take(claimed: ClaimedRun): void {
    const pass = passOf(claimed, this.workerId, this.buffer, () => this.heartbeat?.check());
    const { claim, rest } = pass;
    const { id, windowEndsInMs } = claim.run;
    this.busy++;
    // Of a claim that was in flight: no body begins.
    if (this.stopping) rest.stop("released");
    const windowEnd = windowEndsInMs ? setTimeout(() => rest.comeToRest(), windowEndsInMs) : undefined;
    let hasSlot = true;
    const freeSlot = () => {
      if (hasSlot) this.freeSlot();
      hasSlot = false;
    };
    void rest.outcome.then(freeSlot);
    const done = this.drive(pass, () => {
      // The run may have come back to this worker already.
      if (this.passes.get(id)?.rest === rest) this.passes.delete(id);
      clearTimeout(windowEnd);
      if (windowEndsInMs !== undefined) this.lookForNextInQueue();
      freeSlot();
    });
    this.passes.set(id, { ...pass, done });
  }

  private freeSlot(): void {
    this.busy--;
    if (!this.stopping && this.moreReady)
      this.alarm.ringWithin(this.busy <= this.options.concurrency * (3 / 4) ? 0 : GATHER_MS);
  }

  /** A slot came free with the commit just made; a worker with room claims the next run. */
  private lookForNextInQueue(): void {
    if (this.busy < this.options.concurrency && !this.stopping) this.alarm.ring();
    else this.notifier.work();
  }

  private async drive(pass: Pass, ended: () => void): Promise<void> {
    const { claim, rest } = pass;
    try {
      const end = await driveClaim(pass, this.db, this.means);
      this.tally.ended[end]++;
      publishEnd(this.notifier, claim, end);
      // The claim for its freed slot may have come before the commit with its due time, or with its compensations.
      if (GOES_ON.has(end) || rest.mayGoOnWithin(PAUSE_MS)) this.alarm.ring();
      if (claim.run.parentRunId !== null) this.wakers.parents.notify(claim.run.parentRunId);
    } finally {
      ended();
    }
  }

  /** As after a lost lease: drops every run without another write. Tests call it for a worker that is to die. */
  lose(why = "the lease is gone"): void {
    if (this.lost) return;
    this.options.log.warn({ workerId: this.workerId }, `${why}; dropping every run without another write`);
    this.heartbeat?.stop();
    this.stopping = true;
    this.lost = true;
    this.tally.leasesLost++;
    void this.duties?.stop();
    this.buffer.close();
    void this.wakers.close();
    for (const { rest } of this.passes.values()) rest.stop("lost");
    this.options.onLost();
  }

  /**
   * Claims nothing more, lets the bodies in flight finish until the deadline, and hands the rest back without using an
   * attempt. Resolves when nothing is left.
   */
  async stop(drainMs = DRAIN_MS): Promise<void> {
    this.stopping = true;
    this.alarm.ring();
    for (const { rest } of this.passes.values()) rest.stop("released");
    // What it registers meanwhile is taken back below.
    await this.joining?.catch(() => undefined);
    await Promise.all([this.loop, this.duties?.stop()]);
    await markWorkerStopping(this.db, this.workerId).catch(() => undefined);
    const drained = Promise.all([...this.passes.values()].map(({ done }) => done));
    const deadline = setTimeout(() => {
      for (const { rest } of this.passes.values()) rest.bodies.abort("released");
    }, drainMs);
    await drained;
    clearTimeout(deadline);
    // Before unregistering: a later heartbeat would find the lease gone, and treat a stopped worker as lost.
    this.heartbeat?.stop();
    await this.wakers.close();
    await markWorkerStopped(this.db, this.workerId).catch(() => undefined);
    this.notifier.work();
    await Promise.all([this.listener.stop(), this.notifier.close()]);
  }
}
