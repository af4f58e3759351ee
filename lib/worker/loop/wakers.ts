import type { Db } from "../../store/db";
import { ParentWaker } from "../children/parent-waker";
import { Permits } from "../queues/permits";

/** What wakes the runs that wait for something of this worker's runs: the end of a child, or a permit. */
export class Wakers {
  readonly parents: ParentWaker;
  readonly permits: Permits;

  /** @param onWoken gets the ids of the runs that became claimable */
  constructor(db: Db, onWoken: (runIds: string[]) => void) {
    this.parents = new ParentWaker(db, onWoken);
    this.permits = new Permits(db, onWoken);
  }

  get isIdle(): boolean {
    return this.parents.isIdle && this.permits.isIdle;
  }

  /** Resolves when nothing is in flight. */
  async settled(): Promise<void> {
    await Promise.all([this.parents.settled(), this.permits.settled()]);
  }

  /** The same, and sends nothing after it. */
  async close(): Promise<void> {
    await Promise.all([this.parents.close(), this.permits.close()]);
  }
}
