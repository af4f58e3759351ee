import type { Workflow } from "../../engine/workflows/workflow";
import { newestOf } from "../../engine/workflows/workflow-versions";
import type { Db } from "../../store/db";
import { lockLanes, settleLanes, takeFromLanes } from "../../store/queues/claim-queued";
import { openLanes } from "../../store/queues/queue-lanes";
import { hasTotal, lockTotals, settleTotals } from "../../store/queues/queue-totals";
import type { Claim } from "../../store/workers/claim-runs";
import { shortenLease } from "../../store/workers/shorten-lease";
import { faultPoint } from "../fault-points";

/**
 * A queue that seemed open and yielded no run is checked again after this long: another transaction holds it or its
 * runs.
 */
const LOOK_AGAIN_MS = 50;

/**
 * Claims queued runs, at most `limit`, under the locks of their queues. One short transaction: the locks, a count and a
 * claim after them, and the queues' new state. `nextDueInMs` is 0 when there may be more at once. `leaseMs`: as for
 * `claimRuns`.
 */
export async function claimFromQueues(
  db: Db,
  workerId: number,
  versions: readonly Workflow[],
  limit: number,
  waitMs = 0,
  leaseMs: number | null = null,
): Promise<Claim> {
  const fitting = { versions, waitMs };
  // The newest version's limits apply.
  const queued = newestOf(versions).map(({ name, timeoutMs, queueing }) => ({
    name,
    timeoutMs,
    limits: queueing?.limits ?? null,
  }));
  const { open, more, nextInMs } = await openLanes(
    db,
    queued.map(({ name }) => name),
    queued.filter(hasTotal).map(({ name }) => name),
  );
  if (!open) return { runs: [], nextDueInMs: more ? 0 : nextInMs };
  // A past one may be of a queue that only other workers' versions fit: it needs no other check.
  const later = nextInMs !== null && nextInMs > 0 ? nextInMs : null;
  return db.transaction(async (tx) => {
    const looked = await lockTotals(tx, queued);
    const { lanes, anyFit } = await lockLanes(tx, workerId, looked, limit, fitting);
    if (lanes.length === 0) return { runs: [], nextDueInMs: more ? 0 : anyFit ? LOOK_AGAIN_MS : later };
    await faultPoint("queue:before-take");
    const runs = await takeFromLanes(tx, workerId, queued, lanes, limit, fitting);
    await faultPoint("queue:after-take");
    await settleLanes(tx, workerId, queued, lanes);
    await settleTotals(tx, workerId, queued, looked);
    if (leaseMs !== null && runs.length > 0) await shortenLease(tx, workerId, leaseMs);
    await faultPoint("queue:before-commit");
    return { runs, nextDueInMs: more || runs.length > 0 ? 0 : Math.min(LOOK_AGAIN_MS, later ?? LOOK_AGAIN_MS) };
  });
}
