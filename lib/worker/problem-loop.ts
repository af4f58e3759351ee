import type { Db } from "../store/db";
import { endMutes } from "../store/ended-mutes";
import { FOLDED_AT_ONCE, foldProblems } from "./fold-problems";

/** A person who watches an outage sees it grow; a worker that has nothing to fold costs one small question a second. */
const PAUSE_MS = 1_000;

/** Until nothing is left to fold, or it is late. Returns the runs that it told of. */
export async function foldAll(db: Db, isLate: () => boolean): Promise<string[]> {
  const told: string[] = [];
  for (let batch = FOLDED_AT_ONCE; batch === FOLDED_AT_ONCE && !isLate(); ) {
    const runIds = await foldProblems(db);
    told.push(...runIds);
    batch = runIds.length;
  }
  return told;
}

/** Keeps the problems, in small batches. Every worker does, there is no leader: one folds at a time, whichever comes first. */
export class ProblemLoop {
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> | undefined;
  private stopped = false;

  constructor(
    private readonly db: Db,
    private readonly onTold: (runIds: string[]) => void,
    private readonly onTrouble: (error: unknown) => void,
  ) {}

  start(): void {
    this.round = this.look()
      .catch(this.onTrouble)
      .then(() => {
        if (!this.stopped) this.timer = setTimeout(() => this.start(), PAUSE_MS);
      });
  }

  /** Resolves when no batch is under way any more. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.round;
  }

  private async look(): Promise<void> {
    const { ended, waiting } = await endMutes(this.db);
    if (ended.length > 0) this.onTold(ended);
    for (let batch = waiting ? FOLDED_AT_ONCE : 0; batch === FOLDED_AT_ONCE && !this.stopped; ) {
      const told = await foldProblems(this.db);
      if (told.length > 0) this.onTold(told);
      batch = told.length;
    }
  }
}
