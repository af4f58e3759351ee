import { firstOf } from "../../engine/notices/delivery";
import {
  DELIVERY_WORKFLOW,
  eventOf,
  GATHER_MS,
  type NoticeEvent,
  QUIET_MS,
  SHOWN_EVENTS,
  shareOut,
  wants,
} from "../../engine/notices/notice";
import type { Db } from "../../store/db";
import {
  dueGathered,
  gatherDelivery,
  insertDelivery,
  type OpenDestination,
  openDestinations,
  sendGathered,
} from "../../store/notices/deliveries";
import {
  deferNotices,
  forgetNotices,
  lockTurn,
  markAlertsTold,
  markNotified,
  type NoticeRow,
  nextNotices,
} from "../../store/notices/notices";
import { startDelivery } from "../../store/notices/start-delivery";
import { newPlanId } from "../../store/run-id";
import { faultPoint } from "../fault-points";

/** Notices of one transaction. */
const HANDED_OVER_AT_ONCE = 500;

/**
 * Makes deliveries of the oldest due notices, each with the run that sends it, in one transaction: exactly once, since
 * handed over notices are deleted with it. One process does at a time; others find nothing to do. Returns the runs it
 * started, and whether there may be more.
 */
export async function handOverNotices(db: Db): Promise<{ runIds: string[]; more: boolean }> {
  const done = await db.transaction(async (tx) => {
    if (!(await lockTurn(tx))) return { runIds: [], more: false };
    const notices = await nextNotices(tx, HANDED_OVER_AT_ONCE);
    const selected = await sift(tx, notices);
    const runIds = [];
    for (const destination of await openDestinations(tx)) runIds.push(...(await deliverTo(tx, destination, selected)));
    for (const { id } of await dueGathered(tx)) {
      const runId = await startDelivery(tx, id, 1);
      await sendGathered(tx, id, runId);
      runIds.push(runId);
    }
    await forgetNotices(tx, seqsOf(notices.filter((notice) => !isQuiet(notice))));
    await markAlertsTold(
      tx,
      selected.flatMap(({ kind, alertId }) => (kind === "alert.fired" && alertId) || []),
    );
    await markNotified(tx, [...new Set(selected.flatMap(({ problemId }) => problemId ?? []))]);
    if (notices.length > 0) await faultPoint("notices:before-commit");
    return { runIds, more: notices.length === HANDED_OVER_AT_ONCE };
  });
  if (done.runIds.length > 0) await faultPoint("notices:after-commit");
  return done;
}

/**
 * The notices to send now: none about these deliveries, which would notify about themselves forever, none about
 * problems that were closed meanwhile, and each problem once and not soon after its last notice.
 */
async function sift(tx: Db, notices: readonly NoticeRow[]): Promise<NoticeRow[]> {
  await deferNotices(tx, seqsOf(firstOfEach(notices.filter(isQuiet))), QUIET_MS);
  const told = notices
    .filter((notice) => notice.kind === "alert.fired" && isWanted(notice))
    .map(({ alertId }) => alertId);
  return firstOfEach(
    notices.filter((notice) => (isWanted(notice) || told.includes(notice.alertId)) && !isQuiet(notice)),
  );
}

/** Nobody is paged for an alert that is over, and then nobody hears that it is. */
const isWanted = ({ kind, workflows, problemId, problemStatus, alertId, alertOpen, alertTold }: NoticeRow): boolean =>
  !workflows.includes(DELIVERY_WORKFLOW) &&
  (problemId === null || problemStatus === "open") &&
  (alertId === null || ((kind === "alert.fired" ? alertOpen : alertTold) ?? false));

const isQuiet = (notice: NoticeRow): boolean =>
  notice.quietMs !== null && notice.quietMs < QUIET_MS && isWanted(notice);

function firstOfEach(notices: readonly NoticeRow[]): NoticeRow[] {
  const problems = new Set<string>();
  return notices.filter(({ problemId }) => {
    if (problemId === null) return true;
    const isFirst = !problems.has(problemId);
    problems.add(problemId);
    return isFirst;
  });
}

const seqsOf = (notices: readonly NoticeRow[]): number[] => notices.map(({ seq }) => seq);

async function deliverTo(tx: Db, destination: OpenDestination, notices: readonly NoticeRow[]): Promise<string[]> {
  const { id: destinationId, per_minute, sent, gathering, created_at } = destination;
  // Notices from before this destination existed are not sent to it.
  const theirs = notices.filter(
    (notice) => wants(destination, notice) && Date.parse(notice.at) >= created_at.getTime(),
  );
  if (theirs.length === 0) return [];
  const { alone, together, held } = shareOut(theirs.map(eventOf), per_minute - sent, gathering !== null);
  const runIds: string[] = [];
  for (const event of alone) runIds.push(await deliver(tx, destinationId, [event]));
  if (together.length === 0) return runIds;
  if (!held) return [...runIds, await deliver(tx, destinationId, together)];
  const gathered = { id: newPlanId(), destinationId, events: firstOf(together), count: together.length };
  await gatherDelivery(tx, gathered, { ms: GATHER_MS, shown: SHOWN_EVENTS });
  return runIds;
}

async function deliver(tx: Db, destinationId: string, events: readonly NoticeEvent[]): Promise<string> {
  const id = newPlanId();
  const runId = await startDelivery(tx, id, 1);
  await insertDelivery(tx, { id, destinationId, events: firstOf(events), count: events.length, runId });
  return runId;
}
