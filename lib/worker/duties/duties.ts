import type { AuditKeys } from "../../engine/audit/audit-keys";
import type { Workflow } from "../../engine/workflows/workflow";
import type { Logger } from "../../log";
import type { Db } from "../../store/db";
import { endLeases } from "../../store/workers/end-leases";
import { takeOverLostRuns } from "../../store/workers/take-over";
import type { Beat } from "../../store/workers/workers";
import type { Tally } from "../claims/tally";
import { faultPoint } from "../fault-points";
import { isGone } from "../loop/process-identity";
import type { Rounds } from "../loop/rounds";
import { TurnLoop } from "../queues/turn-loop";
import { Scheduler } from "../schedules/scheduler";
import { handOverAll, noticeLoop } from "./notice-loop";
import { foldAll, problemLoop } from "./problem-loop";
import { RetentionLoop, RetentionWalk } from "./retention";
import { countAll, RollupLoop } from "./rollup-loop";

interface DutiesOptions {
  workerId: number;
  workflows: ReadonlyMap<string, Workflow>;
  /** For what schedules cancel. */
  auditKeys: AuditKeys;
  log: Logger;
  tally: Tally;
  /** These runs have changed or are gone. */
  onChange(runIds: string[]): void;
  /** These have ended, or may need a person. */
  onEnd(runIds: string[]): void;
  /** And somebody has to take them up. */
  onWork(): void;
}

/**
 * What a worker does beside its runs: it frees the runs of silent workers, fires schedules, deletes what is past its
 * time, folds failures into problems, counts what began and ended, and hands over what people are to be told. Every worker
 * does, there is no leader.
 */
export class Duties {
  private readonly scheduler: Scheduler;
  private readonly turns: TurnLoop;
  private retention: RetentionLoop | undefined;
  private rounds: Pick<Rounds, "start" | "stop">[] = [];
  private completing: Promise<void> = Promise.resolve();

  constructor(
    private readonly db: Db,
    private readonly options: DutiesOptions,
  ) {
    const { workerId, workflows, auditKeys, log, tally } = options;
    this.turns = new TurnLoop(db, {
      onTurns: ({ back, poisonous }) => {
        options.onEnd(poisonous);
        options.onChange(back);
        if (back.length > 0) options.onWork();
      },
      onTrouble: (error) => log.warn({ err: error }, "could not give lost runs their turn; the next beat tries again"),
    });
    this.scheduler = new Scheduler(db, workerId, workflows, auditKeys, {
      onFired: ({ started, cancelled }) => {
        tally.fired += started.length;
        options.onChange(started);
        options.onEnd(cancelled);
        options.onWork();
      },
      onTrouble: (error) => log.warn({ err: error }, "could not fire schedules; trying again"),
    });
  }

  /** From now on until it stops, in small batches with pauses. */
  deletePastRuns(): void {
    this.retention = new RetentionLoop(
      this.db,
      (gone) => this.noteDeleted(gone),
      (error) => this.options.log.warn({ err: error }, "could not delete runs past their time; trying again"),
    );
    this.retention.start();
  }

  /** From now on until it stops, whenever a run falls ill or gets well. */
  foldProblems(): void {
    this.begin(
      problemLoop(
        this.db,
        (told) => this.options.onChange(told),
        (error) => this.options.log.warn({ err: error }, "could not fold failures into problems; trying again"),
      ),
    );
  }

  /** From now on until it stops, whenever something waits for a person. */
  handOverNotices(): void {
    this.begin(
      noticeLoop(
        this.db,
        (started) => this.noteStarted(started),
        (error) => this.options.log.warn({ err: error }, "could not hand over notices; trying again"),
      ),
    );
  }

  /** From now on until it stops, every few seconds. */
  foldRollups(): void {
    this.begin(
      new RollupLoop(this.db, (error) =>
        this.options.log.warn({ err: error }, "could not count runs for the charts; trying again"),
      ),
    );
  }

  /** With each heartbeat. For workers whose process is gone no lease is waited for. */
  heed({ othersLost, neighbours, nextScheduleInMs, suspects }: Beat): void {
    this.scheduler.expect(nextScheduleInMs);
    const gone = neighbours.filter((neighbour) => isGone(neighbour.process)).map(({ id }) => id);
    if (othersLost || gone.length > 0) this.complete(gone);
    if (suspects) this.turns.ring();
  }

  /** What is due of them at once, for a worker that lives only for a while; deletes until there is nothing more, or `isLate`. */
  async attend({ deletes, isLate }: { deletes: boolean; isLate: () => boolean }): Promise<void> {
    await Promise.all([this.complete([]), this.scheduler.look(), deletes && this.deleteUntil(isLate)]);
  }

  /** What has failed, begun and ended until now, for a worker that lives only for a while; and what people are to be told. */
  async foldUntil(isLate: () => boolean): Promise<void> {
    try {
      this.options.onChange(await foldAll(this.db, isLate));
      this.noteStarted(await handOverAll(this.db, isLate));
      await countAll(this.db, isLate);
    } catch (error) {
      this.options.log.warn(
        { err: error },
        "could not fold failures into problems or charts; the next call tries again",
      );
    }
  }

  /** Nothing new is begun. Resolves when no round is under way any more. */
  async stop(): Promise<void> {
    await Promise.all([
      this.scheduler.stop(),
      this.turns.stop(),
      this.retention?.stop(),
      ...this.rounds.map((one) => one.stop()),
    ]);
  }

  private begin(rounds: Pick<Rounds, "start" | "stop">): void {
    this.rounds.push(rounds);
    rounds.start();
  }

  private noteStarted(runIds: string[]): void {
    if (runIds.length === 0) return;
    this.options.onChange(runIds);
    this.options.onWork();
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
      const freed = await takeOverLostRuns(this.db);
      await faultPoint("takeover:after");
      if (freed.length === 0) return;
      log.info({ runs: freed.length }, "took over the runs of a silent worker");
      tally.takenOver += freed.length;
      onEnd(freed);
      onWork();
      this.turns.ring();
    } catch (error) {
      log.warn({ err: error }, "could not take over lost runs; the next beat tries again");
    }
  }

  private async deleteUntil(isLate: () => boolean): Promise<void> {
    const walk = new RetentionWalk(this.db);
    try {
      for (let more = true; more && !isLate(); ) {
        const step = await walk.step();
        this.noteDeleted(step.gone);
        more = step.more;
      }
    } catch (error) {
      this.options.log.warn({ err: error }, "could not delete runs past their time; the next call tries again");
    }
  }

  private noteDeleted(gone: string[]): void {
    this.options.tally.deleted += gone.length;
    if (gone.length > 0) this.options.onChange(gone);
  }
}
