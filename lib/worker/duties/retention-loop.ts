import type { Db } from "../../store/db";
import { PAUSE_MS, RetentionWalk } from "./retention";

const BATCH_PAUSE_MS = 20;
/** When each step has found expired runs for so long, pauses are short: tables would grow for as long as the load lasts. */
const BEHIND_MS = PAUSE_MS;

interface Stepped {
  /** The step's beginning and end, in milliseconds of one clock. */
  began: number;
  ended: number;
  /** Expired runs, also those that another worker deletes. */
  found: boolean;
  more: boolean;
}

/** How long to wait after each step: as long as it took, so that half of the time is others'; less where deletions are behind. */
export class Pace {
  /** Each step has found something since then. */
  private since: number;

  constructor(now: number) {
    this.since = now;
  }

  /** In milliseconds. */
  pauseAfter({ began, ended, found, more }: Stepped): number {
    if (!found || !more) this.since = ended + (more ? 0 : PAUSE_MS);
    if (!more) return PAUSE_MS;
    return ended - this.since > BEHIND_MS ? BATCH_PAUSE_MS : Math.max(BATCH_PAUSE_MS, ended - began);
  }
}

export interface RetentionEvents {
  onGone(runIds: string[]): void;
  onTrouble(error: unknown, runId?: string): void;
}

/** For a short-lived worker: until nothing is left, or `isLate`. */
export async function deleteUntil(db: Db, isLate: () => boolean, { onGone, onTrouble }: RetentionEvents) {
  const walk = new RetentionWalk(db, onTrouble);
  try {
    for (let more = true; more && !isLate(); ) {
      const step = await walk.step(isLate);
      onGone(step.gone);
      more = step.more;
    }
  } catch (error) {
    onTrouble(error);
  }
}

/** Deletes expired runs, in small batches with pauses. Every worker does, there is no leader. */
export class RetentionLoop {
  private readonly walk: RetentionWalk;
  private timer: NodeJS.Timeout | undefined;
  private step: Promise<void> | undefined;
  private stopped = false;
  private readonly pace = new Pace(performance.now());

  constructor(
    db: Db,
    private readonly events: RetentionEvents,
  ) {
    this.walk = new RetentionWalk(db, events.onTrouble);
  }

  start(): void {
    this.step = this.next().then((pauseMs) => {
      if (!this.stopped) this.timer = setTimeout(() => this.start(), pauseMs);
    });
  }

  /** Returns the pause after it, in milliseconds. */
  private async next(): Promise<number> {
    const began = performance.now();
    let stepped = { found: false, more: false };
    try {
      const { gone, ...rest } = await this.walk.step();
      stepped = rest;
      if (gone.length > 0) this.events.onGone(gone);
    } catch (error) {
      this.events.onTrouble(error);
    }
    return this.pace.pauseAfter({ began, ended: performance.now(), ...stepped });
  }

  /** Resolves when no batch is in progress. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.step;
  }
}
