import { setTimeout as delay } from "node:timers/promises";
import type { ChildWorker, Fault as Place } from "../../../lib/testing/processes/crash";
import { until } from "../../../lib/testing/until";
import { CHILD_LEASE_MS, type Scene } from "../scene";

/**
 * A child that lost its lease on a busy machine has ended for another reason: a new one replaces it, with a longer
 * lease.
 */
const MAX_CHILDREN = 5;

/** The child that was struck at the place, dead or stopped, and out of its lease; undefined when everything had ended before. */
export async function strikeAt(scene: Scene, fault: Place): Promise<ChildWorker | undefined> {
  for (let children = 0; children < MAX_CHILDREN; children++) {
    const child = scene.child({ fault, leaseMs: leaseOf(fault) * 2 ** children });
    if (await isStruck(scene, child, fault)) {
      await scene.endLeaseOf(child);
      return child;
    }
    if (child.hasEnded) continue;
    // It would die of this fault under the next load, where nobody watches it any more.
    await child.kill();
    await scene.endLeaseOf(child);
    return undefined;
  }
  return undefined;
}

/** One that is stopped in a transaction keeps its locks for as long as a lease: others must wait so long. */
const leaseOf = ({ signal }: Place) => (signal === "SIGSTOP" ? CHILD_LEASE_MS / 3 : CHILD_LEASE_MS);

async function isStruck(scene: Scene, child: ChildWorker, { signal = "SIGKILL" }: Place): Promise<boolean> {
  const stopped = signal === "SIGSTOP" ? child.untilStopped().then(() => true) : new Promise<never>(() => undefined);
  const ended = until("The child's end, or the end of all", async () => {
    await delay(20);
    return child.hasEnded || (await scene.isQuiet());
  }).then(() => child.hasEnded && signal === "SIGKILL");
  // A child that ended instead of being stopped was not struck.
  const struck = await Promise.race([stopped.catch(() => false), ended]);
  return struck && (signal === "SIGSTOP" || (await child.untilEnded()) === signal);
}
