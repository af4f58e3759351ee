import { DELIVERIES_KEPT_MS } from "../../engine/notices/delivery";
import { deleteOldCredentials } from "../../store/access/old-credentials";
import { deleteOldAlerts } from "../../store/alerts/alerts";
import { isTrouble } from "../../store/database/trouble";
import type { Db } from "../../store/db";
import { deleteOldDeploys } from "../../store/deploys/deploys";
import { deleteOldEvents } from "../../store/events/old-events";
import { deleteOldRollups } from "../../store/flow/old-rollups";
import { deleteOldDeliveries } from "../../store/notices/deliveries";
import { deleteOldOperations } from "../../store/operations/old-operations";
import { deleteUnusedPlans } from "../../store/operations/plans";
import { deleteOldProblems } from "../../store/problems/old-problems";
import { deleteUnusedLimits } from "../../store/queues/permits";
import {
  deleteExpired,
  deleteOldRequests,
  findExpiredRuns,
  listRetentions,
  lockForDeletion,
} from "../../store/runs/retention";
import { deleteOldThrottles } from "../../store/runs/throttle";
import { deleteOldWorkers } from "../../store/workers/old-workers";
import { faultPoint } from "../fault-points";

/** Deletion is never urgent. */
const PAUSE_MS = 60_000;
/** Between two batches while there is something to check, at least: as long as the last one took, so that half of the time is others'. */
const BATCH_PAUSE_MS = 20;
/** Runs that one batch checks. */
const LOOKED_AT = 1_000;
/** Runs that one transaction deletes with all their data. Each may have thousands of steps: fewer after one that took long, and after one that failed. */
const FIRST_AT_ONCE = 50;
const LEAST_AT_ONCE = 10;
const MOST_AT_ONCE = LOOKED_AT;
const LONG_MS = 500;
const SHORT_MS = 125;
const REQUESTS_AT_ONCE = 1_000;
const EVENTS_AT_ONCE = 1_000;
const WORKERS_AT_ONCE = 1_000;
const CREDENTIALS_AT_ONCE = 1_000;
const OPERATION_ITEMS_AT_ONCE = 5_000;
const PLAN_ITEMS_AT_ONCE = 5_000;
const PROBLEMS_AT_ONCE = 500;
const ROLLUPS_AT_ONCE = 1_000;
const DELIVERIES_AT_ONCE = 1_000;
const ALERTS_AT_ONCE = 1_000;
const ALERTS_KEPT_MS = 400 * 86_400_000;
const DEPLOYS_AT_ONCE = 1_000;
const THROTTLES_AT_ONCE = 1_000;
const LIMITS_AT_ONCE = 1_000;

/** What else is deleted when it is old: each reports whether there is more to delete at once. */
const OTHERS: ((db: Db) => Promise<boolean>)[] = [
  async (db) => (await deleteOldRequests(db, REQUESTS_AT_ONCE)) === REQUESTS_AT_ONCE,
  async (db) => (await deleteOldEvents(db, EVENTS_AT_ONCE)) === EVENTS_AT_ONCE,
  async (db) => (await deleteOldWorkers(db, WORKERS_AT_ONCE)) === WORKERS_AT_ONCE,
  async (db) => (await deleteOldCredentials(db, CREDENTIALS_AT_ONCE)) >= CREDENTIALS_AT_ONCE,
  async (db) => (await deleteOldOperations(db, OPERATION_ITEMS_AT_ONCE)) > 0,
  async (db) => (await deleteUnusedPlans(db, PLAN_ITEMS_AT_ONCE)) > 0,
  async (db) => (await deleteOldProblems(db, PROBLEMS_AT_ONCE)) >= PROBLEMS_AT_ONCE,
  async (db) => (await deleteOldRollups(db, ROLLUPS_AT_ONCE)) >= ROLLUPS_AT_ONCE,
  async (db) => (await deleteOldThrottles(db, THROTTLES_AT_ONCE)) === THROTTLES_AT_ONCE,
  async (db) => (await deleteUnusedLimits(db, LIMITS_AT_ONCE)) === LIMITS_AT_ONCE,
  async (db) => (await deleteOldDeliveries(db, DELIVERIES_AT_ONCE, DELIVERIES_KEPT_MS)) === DELIVERIES_AT_ONCE,
  async (db) => (await deleteOldAlerts(db, ALERTS_AT_ONCE, ALERTS_KEPT_MS)) === ALERTS_AT_ONCE,
  async (db) => (await deleteOldDeploys(db, DEPLOYS_AT_ONCE)) === DEPLOYS_AT_ONCE,
];

const FIRST = "00000000-0000-0000-0000-000000000000";

/** The position of a walk over a workflow's runs. Lost with the process: it begins again. */
export class RetentionWalk {
  private readonly after = new Map<string, string>();
  private atOnce = FIRST_AT_ONCE;

  /** `onTrouble`: a part failed and the others go on; with the run, if one by itself cannot be deleted. Default: throws. */
  constructor(
    private readonly db: Db,
    private readonly onTrouble: (error: unknown, runId?: string) => void = (error) => {
      throw error;
    },
  ) {}

  /** One batch of each workflow. Returns the ids of the deleted runs, and whether there is more to check at once. */
  async step(): Promise<{ gone: string[]; more: boolean }> {
    const gone: string[] = [];
    let more = false;
    for (const isThereMore of OTHERS)
      await this.apart(async () => {
        if (await isThereMore(this.db)) more = true;
      });
    for (const { workflow } of await listRetentions(this.db))
      await this.apart(async () => {
        if (await this.walkOn(workflow, gone)) more = true;
      });
    return { gone, more };
  }

  /** One that fails holds up no other; with the database in trouble, all would fail. */
  private async apart(part: () => Promise<void>): Promise<void> {
    try {
      await part();
    } catch (error) {
      if (isTrouble(error)) throw error;
      this.onTrouble(error);
    }
  }

  /** One batch of a workflow, whose deleted runs are added to `gone`. Returns whether there is more to check at once. */
  private async walkOn(workflow: string, gone: string[]): Promise<boolean> {
    const looked = await findExpiredRuns(this.db, workflow, this.after.get(workflow) ?? FIRST, LOOKED_AT);
    const expired = looked.filter((run) => run.expired).map(({ id }) => id);
    const batch = expired.slice(0, this.atOnce);
    if (batch.length > 0 && !(await this.deleteInto(gone, batch))) return true;
    const last = expired.length > batch.length ? batch.at(-1) : looked.at(-1)?.id;
    const wholly = looked.length < LOOKED_AT && expired.length === batch.length;
    if (wholly || last === undefined) this.after.delete(workflow);
    else this.after.set(workflow, last);
    return !wholly;
  }

  /** False: a smaller batch is to be tried. A run that cannot be deleted by itself is passed, until the next walk. */
  private async deleteInto(gone: string[], batch: readonly string[]): Promise<boolean> {
    try {
      gone.push(...(await this.delete(batch)));
      return true;
    } catch (error) {
      if (isTrouble(error)) throw error;
      this.atOnce = Math.max(1, batch.length >> 1);
      this.onTrouble(error, batch.length === 1 ? batch[0] : undefined);
      return batch.length === 1;
    }
  }

  private async delete(roots: readonly string[]): Promise<string[]> {
    const began = performance.now();
    const gone = await this.db.transaction(async (tx) => {
      const locked = await lockForDeletion(tx, roots);
      if (locked.length === 0) return [];
      await faultPoint("retention:before-delete");
      const deleted = await deleteExpired(tx, roots, locked);
      await faultPoint("retention:before-commit");
      return deleted;
    });
    const tookMs = performance.now() - began;
    if (tookMs > LONG_MS) this.atOnce = Math.max(Math.min(LEAST_AT_ONCE, this.atOnce), this.atOnce >> 1);
    else if (tookMs < SHORT_MS && roots.length === this.atOnce) this.atOnce = Math.min(MOST_AT_ONCE, this.atOnce << 1);
    if (gone.length > 0) await faultPoint("retention:after-commit");
    return gone;
  }
}

/** Deletes expired runs, in small batches with pauses. Every worker does, there is no leader. */
export class RetentionLoop {
  private readonly walk: RetentionWalk;
  private timer: NodeJS.Timeout | undefined;
  private step: Promise<void> | undefined;
  private stopped = false;

  constructor(
    db: Db,
    private readonly onGone: (runIds: string[]) => void,
    private readonly onTrouble: (error: unknown, runId?: string) => void,
  ) {
    this.walk = new RetentionWalk(db, onTrouble);
  }

  start(): void {
    const began = performance.now();
    this.step = this.walk
      .step()
      .then(({ gone, more }) => {
        if (gone.length > 0) this.onGone(gone);
        return more ? Math.max(BATCH_PAUSE_MS, performance.now() - began) : PAUSE_MS;
      })
      .catch((error: unknown) => {
        this.onTrouble(error);
        return PAUSE_MS;
      })
      .then((pauseMs) => {
        if (!this.stopped) this.timer = setTimeout(() => this.start(), pauseMs);
      });
  }

  /** Resolves when no batch is in progress. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.step;
  }
}
