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

/** Pause between two glances: the longest delay of a run whose note was lost, of a notice, and of what the page of a problem shows. */
const GLANCE_MS = 1_500;

/** From a worker's start: the first round of all duties takes a tenth of a second of two cores, and runs that wait come first. */
const BEGIN_AFTER_MS = 200;

type Loop = Pick<Rounds, "start" | "stop">;

/** A duty with a loop, in a worker that stays, and that a short-lived one does once. */
interface Fold {
  /** Behind "could not" in the log. */
  what: string;
  /** Rung by a glance that finds something due. */
  loop(onTrouble: (error: unknown) => void): Loop & { ring(): void };
  /** Until nothing is left, or `isLate`. */
  once(isLate: () => boolean): Promise<unknown>;
}

export interface DutiesOptions {
  workerId: number;
  workflows: ReadonlyMap<string, Workflow>;
  /** Every version of them. */
  versions: readonly Workflow[];
  /** How long no live worker has had a version before a newer one continues its runs. */
  versionWaitMs: number;
  /** For runs that schedules cancel. */
  auditKeys: AuditKeys;
  log: Logger;
  tally: Tally;
  blobs: Blobs;
  /** Whether the worker is idle and beats rarely: each glance then reads the news as well. */
  rests(): boolean;
  /** The news that such a glance has read. */
  onNews(news: News): void;
  /** These runs have changed or are gone. */
  onChange(runIds: string[]): void;
  /** These have ended, were taken over, or may need attention: consoles show them at once. */
  onEnd(runIds: string[]): void;
  /** Runs have become claimable: wakes this worker and all others. */
  onWork(): void;
  /** A run is due now, or before the next glance: wakes this worker. */
  onClaimable(): void;
}

/**
 * A worker's duties beside its runs: it frees the runs of silent workers, ends those that were not begun in time, fires
 * schedules, deletes expired runs and unused blobs, folds failures into problems, counts starts and ends, indexes log lines, judges
 * alert rules, hands over notices, and answers processes without its code. Every worker does, there is no leader.
 */
export class Duties {
  private readonly scheduler: Scheduler;
  private readonly turns: TurnLoop;
  private readonly code: CodeRequestLoop;
  private readonly loops: Loop[] = [];
  /** The loops that a glance rings. */
  private readonly onCall = new Map<keyof DueDuties, { ring(): void }>();
  private takingOver: Promise<void> = Promise.resolve();
  /** The one that begins after it. */
  private nextTakeOver: Promise<void> | undefined;
  private readonly gone: number[] = [];
  private expiring: Promise<void> | undefined;
  private beginTimer: NodeJS.Timeout | undefined;
  private leaseEndTimers: NodeJS.Timeout[] = [];
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
      onTrouble: (error) => log.warn({ err: error }, "could not give lost runs back; the next heartbeat retries"),
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

  /** Starts the loops after `BEGIN_AFTER_MS`. @param deletes whether it deletes expired runs */
  startAll(deletes: boolean): void {
    this.beginTimer = setTimeout(() => this.beginAll(deletes), BEGIN_AFTER_MS);
  }

  private beginAll(deletes: boolean): void {
    const { blobs } = this.options;
    if (deletes) this.begin(new RetentionLoop(this.db, this.retentionEvents));
    for (const [due, { what, loop }] of Object.entries(this.folds) as [keyof Duties["folds"], Fold][])
      this.beginOnCall(due, loop(this.troubleWith(what)));
    if (blobs.isOpen) this.begin(blobLoop(this.db, blobs, this.troubleWith("delete blobs")));
    this.answerCodeRequests();
  }

  /** In the order in which a short-lived worker does them: a problem may be what an alert is about, and an alert is a notice. */
  private readonly folds = {
    problems: {
      what: "fold failures into problems",
      loop: (onTrouble) => problemLoop(this.db, this.options.onChange, onTrouble),
      once: (isLate) => keepProblems(this.db, isLate, this.options.onChange),
    },
    alerts: {
      what: "judge alert rules",
      loop: (onTrouble) => alertLoop(this.db, onTrouble),
      once: () => judgeAlerts(this.db),
    },
    notices: {
      what: "hand over notices",
      loop: (onTrouble) => noticeLoop(this.db, (started) => this.noteDeliveries(started), onTrouble),
      once: async (isLate) => this.noteDeliveries(await handOverAll(this.db, isLate)),
    },
    rollups: {
      what: "count runs for the charts",
      loop: (onTrouble) => new RollupLoop(this.db, onTrouble),
      once: (isLate) => countAll(this.db, isLate),
    },
    logs: {
      what: "index log lines",
      loop: (onTrouble) => logLoop(this.db, onTrouble),
      once: (isLate) => foldAllLogs(this.db, isLate),
    },
  } satisfies Partial<Record<keyof DueDuties, Fold>>;

  private troubleWith(what: string, then = "retrying"): (error: unknown) => void {
    return (err) => this.options.log.warn({ err }, `could not ${what}; ${then}`);
  }

  private answerCodeRequests(): void {
    this.beginOnCall("codeRequests", this.code);
  }

  /** Another process may have asked for something that needs this worker's code. */
  lookForCodeRequests(): void {
    this.code.ring();
  }

  /** With each news. Workers of this host whose process is gone are taken over without waiting for the end of their lease. */
  follow({ othersLost, leaseEndsInMs, neighbours, nextScheduleInMs, suspects, overdue }: News): void {
    if (this.stopped) return;
    this.scheduler.expect(nextScheduleInMs);
    const gone = neighbours.filter((neighbour) => isGone(neighbour.process)).map(({ id }) => id);
    if (othersLost || gone.length > 0) this.queueTakeOver(gone);
    this.takeOverAt(leaseEndsInMs);
    if (suspects) this.turns.ring();
    if (overdue) this.expireOverdue();
  }

  /** For a short-lived worker: take-over, schedules, late starts and, if it deletes, retention until nothing is left, or `isLate`. */
  async attend({ deletes, isLate }: { deletes: boolean; isLate: () => boolean }): Promise<void> {
    this.answerCodeRequests();
    await Promise.all([
      this.queueTakeOver([]),
      this.attendDue(),
      deletes && deleteUntil(this.db, isLate, this.retentionEvents),
    ]);
  }

  /** Fires schedules that are due, and ends starts that are overdue, without waiting for a heartbeat. */
  async attendDue(): Promise<void> {
    await Promise.all([this.scheduler.look(), this.expireOverdue()]);
  }

  /** The duties that have a loop in other workers, for a short-lived one: until nothing is left, or `isLate`. */
  async foldUntil(isLate: () => boolean): Promise<void> {
    const blobs = { what: "delete blobs", once: () => sweepBlobs(this.db, this.options.blobs, isLate) };
    // One that always fails must not block those behind it.
    for (const { what, once } of [...(Object.values(this.folds) as Fold[]), blobs])
      await once(isLate).catch(this.troubleWith(what, "the next call retries"));
  }

  /** Begins nothing more, whatever news comes while the worker drains. Resolves when nothing is in progress. */
  async stop(): Promise<void> {
    this.stopped = true;
    for (const timer of [this.beginTimer, ...this.leaseEndTimers]) clearTimeout(timer);
    await Promise.all([
      this.scheduler.stop(),
      this.turns.stop(),
      this.takingOver,
      this.expiring,
      ...this.loops.map((one) => one.stop()),
    ]);
  }

  private beginOnCall(due: keyof DueDuties, loop: Loop & { ring(): void }): void {
    if (this.onCall.size === 0)
      this.begin(new Rounds(() => this.glance(), GLANCE_MS, this.troubleWith("look for what is due")));
    this.onCall.set(due, loop);
    this.begin(loop);
  }

  private async glance(): Promise<void> {
    const { workerId, versions, versionWaitMs: waitMs, rests, onNews } = this.options;
    const fitting = { versions, waitMs };
    const seen: Glance & { news?: News } = await (rests() ? look : glance)(this.db, workerId, fitting);
    if (seen.news) onNews(seen.news);
    const { workInMs } = seen;
    for (const [due, loop] of this.onCall) if (seen[due]) loop.ring();
    if (workInMs !== null && workInMs < GLANCE_MS) this.options.onClaimable();
  }

  private begin(loop: Loop): void {
    this.loops.push(loop);
    loop.start();
  }

  private noteDeliveries(runIds: string[]): void {
    if (runIds.length === 0) return;
    this.options.tally.deliveries += runIds.length;
    this.options.onChange(runIds);
    this.options.onWork();
  }

  /** At the instants when the leases of silent workers end. Each news sets the timers anew. */
  private takeOverAt(endsInMs: readonly number[]): void {
    for (const timer of this.leaseEndTimers) clearTimeout(timer);
    this.leaseEndTimers = endsInMs.map((ms) => setTimeout(() => this.queueTakeOver([]), ms + 1));
  }

  /** One at a time; who asks while one waits for its turn shares it. */
  private queueTakeOver(gone: readonly number[]): Promise<void> {
    this.gone.push(...gone);
    this.nextTakeOver ??= this.takingOver.then(() => {
      this.nextTakeOver = undefined;
      return this.takeOver(this.gone.splice(0));
    });
    this.takingOver = this.nextTakeOver;
    return this.takingOver;
  }

  private async takeOver(gone: readonly number[]): Promise<void> {
    const { log, tally, onEnd, onWork } = this.options;
    if (this.stopped) return;
    try {
      if (gone.length > 0) await endLeases(this.db, gone);
      await faultPoint("takeover:before");
      await takeOverLostRuns(this.db, (freed) => {
        log.info({ runs: freed.length }, "took over runs of silent workers");
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
