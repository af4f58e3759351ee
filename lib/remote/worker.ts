import type { Caller } from "../engine/audit/audit";
import type { Desk } from "../operator/desk";
import type { Db } from "../store/db";
import { wakeAllParents } from "../store/runs/wake-parents";
import { beat, readNews } from "../store/workers/beat";
import { type RemoteWorker, runsOf, selectRemoteWorker } from "../store/workers/remote-workers";
import { giveTurns } from "../store/workers/suspects";
import { takeOverLostRuns } from "../store/workers/take-over";
import { markWorkerStopped, markWorkerStopping } from "../store/workers/workers";
import { credentialOf } from "./claim-proof";
import { leaseEnded, unknownWorker } from "./refusals";

/** @throws HandrailError `unknown_worker`, also for one that another credential registered */
async function knownWorker(db: Db, by: Caller, workerId: number): Promise<RemoteWorker> {
  const worker = await selectRemoteWorker(db, workerId);
  if (!worker || (worker.credential !== null && worker.credential !== credentialOf(by))) throw unknownWorker(workerId);
  return worker;
}

/** @throws HandrailError `unknown_worker`, or `lease_ended`, also for one that was registered before it had an owner */
export async function livingWorker(db: Db, by: Caller, workerId: number): Promise<RemoteWorker> {
  const worker = await knownWorker(db, by, workerId);
  if (!worker.holds || worker.credential === null) throw leaseEnded(workerId);
  return worker;
}

/**
 * A worker's heartbeat. It also takes over the runs of silent workers, like any worker's heartbeat, in whatever
 * language.
 * @throws HandrailError `unknown_worker` or `lease_ended`
 */
export async function heartbeat({ db, notifier, by }: Desk, workerId: number) {
  const { leaseMs, running } = await knownWorker(db, by, workerId);
  // First: a lease that is extended without an answer keeps the runs of a worker that has stopped for want of one.
  const news = await readNews(db, workerId);
  if (!news.held || !(await beat(db, workerId, running, leaseMs))) throw leaseEnded(workerId);
  const { cancelled, paused, woken, othersLost, untold, heldWorkflows, suspects } = news;
  const atRest = heldWorkflows.length > 0 ? await runsOf(db, workerId, heldWorkflows) : [];
  const freed = othersLost ? await takeOverLostRuns(db) : [];
  if (suspects) await giveTurnsTo({ db, notifier });
  const goOn = untold ? await wakeAllParents(db) : [];
  notifier.changeAtOnce(freed);
  notifier.change(goOn);
  if (freed.length + goOn.length > 0) notifier.work();
  return { leaseMs, cancelled, paused: [...new Set([...paused, ...atRest])], woken };
}

/** Gives lost runs back to the workers whose turn it is; returns whether others wait for theirs. */
export async function giveTurnsTo({ db, notifier }: Pick<Desk, "db" | "notifier">): Promise<boolean> {
  const { back, poisonous, waiting } = await giveTurns(db);
  notifier.changeAtOnce(poisonous);
  notifier.change(back);
  if (back.length > 0) notifier.work();
  return waiting;
}

/**
 * Unregisters. A worker that still owns runs is left until its lease expires. @throws HandrailError `unknown_worker`
 */
export async function depart({ db, notifier, by }: Desk, workerId: number) {
  await knownWorker(db, by, workerId);
  await markWorkerStopping(db, workerId);
  await markWorkerStopped(db, workerId);
  notifier.work();
  return { running: (await knownWorker(db, by, workerId)).running };
}
