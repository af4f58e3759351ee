import { sleep } from "../../store/database/backoff";
import type { Db } from "../../store/db";
import { giveTurns, type Turns } from "../../store/workers/suspects";

/** While runs wait for their turn, they are checked this often; less often while nothing changes. */
const LOOK_AGAIN_MS = 25;
const LONGEST_PAUSE_MS = 100;
/** A round over many lost runs is slow: it pauses for several times as long. */
const PAUSE_PER_ROUND = 4;

interface TurnEvents {
  onTurns(turns: Turns): void;
  onTrouble(error: unknown): void;
}

/** Gives lost runs back to the workers in turns, while some of them wait. Its state is in the database alone. */
export class TurnLoop {
  private stopped = false;
  private underWay: Promise<void> | undefined;

  constructor(
    private readonly db: Db,
    private readonly events: TurnEvents,
  ) {}

  /** There may be runs that wait. */
  ring(): void {
    if (this.stopped) return;
    this.underWay ??= this.goOn()
      .catch(this.events.onTrouble)
      .finally(() => {
        this.underWay = undefined;
      });
  }

  /** Begins nothing new. Resolves when no round is in progress. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.underWay;
  }

  private async goOn(): Promise<void> {
    for (let pauseMs = LOOK_AGAIN_MS; !this.stopped; ) {
      const began = performance.now();
      const turns = await giveTurns(this.db);
      const changed = turns.back.length + turns.poisonous.length > 0;
      if (changed) this.events.onTurns(turns);
      if (!turns.waiting) return;
      pauseMs = changed ? LOOK_AGAIN_MS : Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS);
      await sleep(Math.max(pauseMs, PAUSE_PER_ROUND * (performance.now() - began)));
    }
  }
}
