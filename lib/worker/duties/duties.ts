import type { Blobs } from "../../blobs/blobs";
import type { AuditKeys } from "../../engine/audit/audit-keys";
import type { Workflow } from "../../engine/workflows/workflow";
import type { Logger } from "../../log";
import type { Db } from "../../store/db";
import { expireStarts } from "../../store/runs/expire-starts";
import { look, type News } from "../../store/workers/beat";
import { endLeases } from "../../store/workers/end-leases";
import { type DueDuties, type Glance, glance } from "../../store/workers/glance";
import { takeOverLostRuns } from "../../store/workers/take-over";
import type { Tally } from "../claims/tally";
import { faultPoint } from "../fault-points";
import { isGone } from "../loop/process-identity";
import { Rounds } from "../loop/rounds";
import { TurnLoop } from "../queues/turn-loop";
import { Scheduler } from "../schedules/scheduler";
import { CodeRequestLoop } from "./code-requests";
import { foldAllLogs, logLoop } from "./fold-logs";
import { alertLoop, judgeAlerts } from "./judge-alerts";
import { handOverAll, noticeLoop } from "./notice-loop";
import { keepProblems, problemLoop } from "./problem-loop";
import { deleteUntil, type RetentionEvents, RetentionLoop } from "./retention-loop";
import { countAll, RollupLoop } from "./rollup-loop";
import { blobLoop, sweepBlobs } from "./sweep-blobs";

/** Between two glances: runs are found without a note within it, notices go out, and a person who watches an outage sees it grow. */
const GLANCE_MS = 1_500;

/** From a worker's start: its duties open connections and run code for the first time, which takes a tenth of a second of two cores. */
const BEGIN_AFTER_MS = 200;

export interface DutiesOptions {
  workerId: number;
  workflows: ReadonlyMap<string, Workflow>;
  /** Every version of them. */
  versions: readonly Workflow[];
  /** As in `FittingVersions`. */
  versionWaitMs: number;
  /** For runs that schedules cancel. */
  auditKeys: AuditKeys;
  log: Logger;
  tally: Tally;
  blobs: Blobs;
  /** Its heartbeats are far apart: glances bring the news that those do not. */
  rests(): boolean;
  /** What a glance has brought besides. */
  onNews(news: News): void;
  /** These runs have changed or are gone. */
  onChange(runIds: string[]): void;
  /** These have ended, or may need attention. */
  onEnd(runIds: string[]): void;
  /** And must be claimed again. */
  onWork(): void;
  /** There is something to claim now, or within a moment. */
  onClaimable(): void;
}

/**
 * A worker's duties beside its runs: it frees the runs of silent workers, ends those that were not begun in time, fires
 * schedules, deletes expired runs, folds failures into problems, counts starts and ends, indexes log lines, judges alert
 * rules, hands over notices, and answers processes without its code. Every worker does, there is no leader.
 */
export class Duties {
  private readonly scheduler: Scheduler;
  private readonly turns: TurnLoop;
  private retention: RetentionLoop | undefined;
  private readonly code: CodeRequestLoop;
  private rounds: Pick<Rounds, "start" | "stop">[] = [];
  /** The duties that a glance rings. */
  private readonly onCall = new Map<keyof DueDuties, { ring(): void }>();
  private completing: Promise<void> = Promise.resolve();
  private expiring: Promise<void> | undefined;
  private begun: NodeJS.Timeout | undefined;
  private leaseEnd: NodeJS.Timeout | undefined;
  /** While heartbeats go on until the worker has drained. */
  private stopped = false;

  constructor(
    private readonly db: Db,
    private readonly options: DutiesOptions,
  ) {
    const { workerId, workflows, versions, auditKeys, log, tally } = options;
    this.code = new CodeRequestLoop(db, {
      workflows: versions,
      onTrouble: (error, what) => log.warn({ err: error }, what),
    });
    this.turns = new TurnLoop(db, {
      onTurns: ({ back, poisonous }) => {
        options.onEnd(poisonous);
        options.onChange(back);
        if (back.length > 0) options.onWork();
      },
      onTrouble: (error) => log.warn({ err: error }, "could not schedule lost runs; the next heartbeat retries"),
    });
    this.scheduler = new Scheduler(db, workerId, workflows, auditKeys, {
      onFired: ({ started, cancelled }) => {
        tally.fired += started.length;
        options.onChange(started);
        options.onEnd(cancelled);
        options.onWork();
      },
      onFailure: (schedule, err) => log.warn({ err, schedule }, "could not fire a schedule; retrying in a minute"),
      onTrouble: (error) => log.warn({ err: error }, "could not fire schedules; retrying"),
    });
  }

  /** A moment later: runs that wait for a worker come first. @param deletes whether it deletes expired runs */
  startAll(deletes: boolean): void {
    this.begun = setTimeout(() => this.beginAll(deletes), BEGIN_AFTER_MS);
  }

  private beginAll(deletes: boolean): void {
    if (deletes) this.deletePastRuns();
    this.foldProblems();
    this.foldRollups();
    this.judgeAlerts();
    this.foldLogs();
    this.sweepBlobs();
    this.handOverNotices();
    this.answerCodeRequests();
  }

  /** Until it stops, in small batches with pauses. */
  private deletePastRuns(): void {
    this.retention = new RetentionLoop(this.db, this.retentionEvents);
    this.retention.start();
  }

  /** Until it stops, whenever a run starts failing or recovers. */
  private foldProblems(): void {
    this.beginOnCall(
      "problems",
      problemLoop(
        this.db,
        (runIds) => this.options.onChange(runIds),
        (error) => this.options.log.warn({ err: error }, "could not fold failures into problems; retrying"),
      ),
    );
  }

  /** Until it stops, whenever something waits for a person. */
  private handOverNotices(): void {
    this.beginOnCall(
      "notices",
      noticeLoop(
        this.db,
        (started) => this.noteDeliveries(started),
        (error) => this.options.log.warn({ err: error }, "could not hand over notices; retrying"),
      ),
    );
  }

  /** Until it stops, every few seconds while runs begin and end. */
  private foldRollups(): void {
    this.beginOnCall(
      "rollups",
      new RollupLoop(this.db, (error) =>
        this.options.log.warn({ err: error }, "could not count runs for the charts; retrying"),
      ),
    );
  }

  /** Until it stops, every few seconds. */
  private judgeAlerts(): void {
    this.beginOnCall(
      "alerts",
      alertLoop(this.db, (error) => this.options.log.warn({ err: error }, "could not judge alert rules; retrying")),
    );
  }

  /** Until it stops, whenever enough lines have come. */
  private foldLogs(): void {
    this.beginOnCall(
      "logs",
      logLoop(this.db, (error) => this.options.log.warn({ err: error }, "could not index log lines; retrying")),
    );
  }

  /** Until it stops, every ten seconds, where the app has a blob store. */
  private sweepBlobs(): void {
    const { blobs, log } = this.options;
    if (blobs.isOpen)
      this.begin(blobLoop(this.db, blobs, (error) => log.warn({ err: error }, "could not delete blobs; retrying")));
  }

  /** Until it stops: for processes without this worker's code. */
  private answerCodeRequests(): void {
    this.beginOnCall("codeRequests", this.code);
  }

  /** Another process asks for something by this worker's code, perhaps. */
  lookForCodeRequests(): void {
    this.code.ring();
  }

  /** With each heartbeat, or glance of a worker that rests. For workers whose process is gone it does not wait for the lease. */
  follow({ othersLost, silentForMs, neighbours, nextScheduleInMs, suspects, overdue }: News): void {
    this.scheduler.expect(nextScheduleInMs);
    const gone = neighbours.filter((neighbour) => isGone(neighbour.process)).map(({ id }) => id);
    if (othersLost || gone.length > 0) this.complete(gone);
    else this.expectEnd(silentForMs);
    if (suspects) this.turns.ring();
    if (overdue) this.expireOverdue();
  }

  /** The duties that are due now, for a short-lived worker; deletes until nothing is left, or `isLate`. */
  async attend({ deletes, isLate }: { deletes: boolean; isLate: () => boolean }): Promise<void> {
    this.answerCodeRequests();
    await Promise.all([
      this.complete([]),
      this.attendDue(),
      deletes && deleteUntil(this.db, isLate, this.retentionEvents),
    ]);
  }

  /** Fires schedules that are due, and ends starts that are overdue, before a heartbeat says so. */
  async attendDue(): Promise<void> {
    await Promise.all([this.scheduler.look(), this.expireOverdue()]);
  }

  /** Failures, problems that change by themselves, starts, ends and notices until now, for a short-lived worker. */
  async foldUntil(isLate: () => boolean): Promise<void> {
    const { blobs, log, onChange } = this.options;
    const duties: [what: string, work: () => Promise<unknown>][] = [
      ["fold failures into problems", () => keepProblems(this.db, isLate, onChange)],
      ["judge alert rules", () => judgeAlerts(this.db)],
      ["hand over notices", async () => this.noteDeliveries(await handOverAll(this.db, isLate))],
      ["count runs for the charts", () => countAll(this.db, isLate)],
      ["index log lines", () => foldAllLogs(this.db, isLate)],
      ["delete blobs", () => sweepBlobs(this.db, blobs, isLate)],
    ];
    // One that fails each time must not hold up those behind it.
    for (const [what, work] of duties)
      await work().catch((error) => log.warn({ err: error }, `could not ${what}; the next call retries`));
  }

  /** Begins nothing new. Resolves when no round is in progress. */
  async stop(): Promise<void> {
    this.stopped = true;
    for (const timer of [this.begun, this.leaseEnd]) clearTimeout(timer);
    await Promise.all([
      this.scheduler.stop(),
      this.turns.stop(),
      this.retention?.stop(),
      this.expiring,
      ...this.rounds.map((one) => one.stop()),
    ]);
  }

  private beginOnCall(what: keyof DueDuties, loop: Pick<Rounds, "start" | "stop"> & { ring(): void }): void {
    if (this.onCall.size === 0)
      this.begin(
        new Rounds(
          () => this.glance(),
          GLANCE_MS,
          (error) => this.options.log.warn({ err: error }, "could not look for what is due; retrying"),
        ),
      );
    this.onCall.set(what, loop);
    this.begin(loop);
  }

  private async glance(): Promise<void> {
    const { workerId, versions, versionWaitMs: waitMs, rests, onNews } = this.options;
    const fitting = { versions, waitMs };
    const seen: Glance & { news?: News } = await (rests() ? look : glance)(this.db, workerId, fitting);
    if (seen.news) onNews(seen.news);
    const { workInMs } = seen;
    for (const [what, loop] of this.onCall) if (seen[what]) loop.ring();
    if (workInMs !== null && workInMs < GLANCE_MS) this.options.onClaimable();
  }

  private begin(rounds: Pick<Rounds, "start" | "stop">): void {
    this.rounds.push(rounds);
    rounds.start();
  }

  private noteDeliveries(runIds: string[]): void {
    if (runIds.length === 0) return;
    this.options.tally.deliveries += runIds.length;
    this.options.onChange(runIds);
    this.options.onWork();
  }

  /** The lease of a silent worker ends before there is news again: its runs are taken over then. */
  private expectEnd(inMs: number | null): void {
    clearTimeout(this.leaseEnd);
    if (!this.stopped && inMs !== null && inMs < GLANCE_MS)
      this.leaseEnd = setTimeout(() => this.complete([]), inMs + 1);
  }

  private complete(gone: readonly number[]): Promise<void> {
    this.completing = this.completing.then(() => this.takeOver(gone));
    return this.completing;
  }

  private async takeOver(gone: readonly number[]): Promise<void> {
    const { log, tally, onEnd, onWork } = this.options;
    try {
      if (gone.length > 0) await endLeases(this.db, gone);
      await faultPoint("takeover:before");
      await takeOverLostRuns(this.db, (freed) => {
        log.info({ runs: freed.length }, "took over the runs of a silent worker");
        tally.takenOver += freed.length;
        onEnd(freed);
        onWork();
        this.turns.ring();
      });
      await faultPoint("takeover:after");
    } catch (error) {
      log.warn({ err: error }, "could not take over lost runs; the next heartbeat retries");
    }
  }

  private expireOverdue(): Promise<void> {
    this.expiring ??= this.expire().finally(() => {
      this.expiring = undefined;
    });
    return this.expiring;
  }

  private async expire(): Promise<void> {
    try {
      await faultPoint("expire:before");
      const ended = await expireStarts(this.db);
      await faultPoint("expire:after");
      if (ended.length > 0) this.options.onEnd(ended);
    } catch (error) {
      this.options.log.warn(
        { err: error },
        "could not end runs that were not begun in time; the next heartbeat retries",
      );
    }
  }

  private readonly retentionEvents: RetentionEvents = {
    onGone: (runIds) => {
      this.options.tally.deleted += runIds.length;
      if (runIds.length > 0) this.options.onChange(runIds);
    },
    onTrouble: (err, runId) =>
      this.options.log.warn({ err, ...(runId && { runId }) }, "could not delete expired runs; retrying"),
  };
}
