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

/** Between two rounds. Deletion is never urgent. */
export const PAUSE_MS = 60_000;
/** Runs that are looked for at once. */
const LOOKED_AT = 1_000;
/** Runs that one transaction deletes with all their data. Each may have thousands of steps: fewer after one that took long, and after one that failed. */
const FIRST_AT_ONCE = 50;
const LEAST_AT_ONCE = 10;
const MOST_AT_ONCE = LOOKED_AT;
const LONG_MS = 500;
const SHORT_MS = LONG_MS / 2;
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
const OTHERS: readonly ((db: Db) => Promise<boolean>)[] = [
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

/** Of a walk over a workflow's runs. */
interface Place {
  /** The last run that was looked at. */
  after: string;
  /** Runs up to there that are yet to be deleted. */
  expired: readonly string[];
  /** No run after that is old enough. */
  isLast: boolean;
}

/** Deletes one batch of it, adds its runs to `gone`, and returns whether there is more at once. */
type Part = (gone: string[]) => Promise<boolean>;

/** Rounds over all that can expire. Their places are lost with the process: it begins again. */
export class RetentionWalk {
  private readonly places = new Map<string, Place>();
  /** What this round has yet to end. */
  private round: readonly Part[] = [];
  private began = 0;
  private found = false;
  private atOnce = FIRST_AT_ONCE;

  /** `onTrouble`: a part failed and the others go on; with the run, if one by itself cannot be deleted. Default: throws. */
  constructor(
    private readonly db: Db,
    private readonly onTrouble: (error: unknown, runId?: string) => void = (error) => {
      throw error;
    },
    private readonly now = () => performance.now(),
  ) {}

  /**
   * One batch of each part that the round has yet to end, or until `isLate`. Returns the ids of the deleted runs, whether any
   * have expired, and whether the round goes on.
   */
  async step(isLate: () => boolean = () => false): Promise<{ gone: string[]; found: boolean; more: boolean }> {
    const gone: string[] = [];
    this.found = false;
    // A workflow whose runs expire faster than they are deleted must not keep the others from their next round.
    if (this.round.length === 0 || this.now() - this.began > PAUSE_MS) {
      this.round = await this.parts();
      this.began = this.now();
    }
    const left: Part[] = [];
    for (const part of this.round) if (isLate() || (await this.apart(() => part(gone)))) left.push(part);
    this.round = left;
    return { gone, found: this.found, more: left.length > 0 };
  }

  private async parts(): Promise<Part[]> {
    const others = OTHERS.map((isThereMore) => () => isThereMore(this.db));
    const walks = (await listRetentions(this.db)).map(
      ({ workflow }): Part =>
        (gone) =>
          this.walkOn(workflow, gone),
    );
    return [...others, ...walks];
  }

  /** One that fails holds up no other, and waits for the next round; with the database in trouble, all would fail. */
  private async apart(part: () => Promise<boolean>): Promise<boolean> {
    try {
      return await part();
    } catch (error) {
      if (isTrouble(error)) throw error;
      this.onTrouble(error);
      return false;
    }
  }

  private async walkOn(workflow: string, gone: string[]): Promise<boolean> {
    const known = this.places.get(workflow);
    const place = known && known.expired.length > 0 ? known : await this.find(workflow, known?.after ?? FIRST);
    if (place.expired.length > 0) this.found = true;
    const expired = place.expired.length > 0 ? await this.deleteSome(place.expired, gone) : [];
    const goesOn = expired.length > 0 || !place.isLast;
    if (goesOn) this.places.set(workflow, { ...place, expired });
    else this.places.delete(workflow);
    return goesOn;
  }

  private async find(workflow: string, after: string): Promise<Place> {
    const looked = await findExpiredRuns(this.db, workflow, after, LOOKED_AT);
    const expired = looked.filter((run) => run.expired).map(({ id }) => id);
    return { after: looked.at(-1)?.id ?? after, expired, isLast: looked.length < LOOKED_AT };
  }

  /** One batch. Returns what is left: after a failure all of it, for a smaller batch; but a run that cannot be deleted by itself is passed. */
  private async deleteSome(expired: readonly string[], gone: string[]): Promise<readonly string[]> {
    const batch = expired.slice(0, this.atOnce);
    const rest = expired.slice(batch.length);
    try {
      const deleted = await this.delete(batch);
      gone.push(...(deleted ?? []));
      // Several that are held: another worker is here, and two would try the same ones up to the end.
      return deleted || batch.length === 1 ? rest : [];
    } catch (error) {
      if (isTrouble(error)) throw error;
      this.atOnce = Math.max(1, batch.length >> 1);
      this.onTrouble(error, batch.length === 1 ? batch[0] : undefined);
      return batch.length === 1 ? rest : expired;
    }
  }

  /** Undefined: another transaction holds or has deleted all of them. */
  private async delete(roots: readonly string[]): Promise<string[] | undefined> {
    const began = performance.now();
    const gone = await this.db.transaction(async (tx) => {
      const locked = await lockForDeletion(tx, roots);
      if (locked.length === 0) return undefined;
      await faultPoint("retention:before-delete");
      const deleted = await deleteExpired(tx, roots, locked);
      await faultPoint("retention:before-commit");
      return deleted;
    });
    if (!gone) return undefined;
    const tookMs = performance.now() - began;
    if (tookMs > LONG_MS) this.atOnce = Math.max(Math.min(LEAST_AT_ONCE, this.atOnce), this.atOnce >> 1);
    else if (tookMs < SHORT_MS && roots.length === this.atOnce) this.atOnce = Math.min(MOST_AT_ONCE, this.atOnce << 1);
    if (gone.length > 0) await faultPoint("retention:after-commit");
    return gone;
  }
}
