import { never } from "./promises";

const RESOLVED = Promise.resolve();

/** An outcome that waits for its turn. */
interface Turn {
  position: number;
  give: () => void;
  /** Its value is still being loaded: those behind it wait. */
  loading?: Promise<unknown> | undefined;
}

/**
 * Hands outcomes to the workflow's code in the order in which they occurred, one at a time: the code has reacted to one
 * before it gets the next. The same step wins a race in the first pass and in every replay, whatever the order in which
 * the code asks for them and whatever runs anew beside them.
 */
export class OutcomeOrder {
  /** Positions of outcomes whose records are in flight: those behind them wait. */
  private readonly expected = new Set<number>();
  private readonly ready: Turn[] = [];
  private readonly held: (() => void)[] = [];
  private scheduled = false;
  private isLoading = false;
  private abandoned = false;
  private last = 0;

  /**
   * @param kept how many outcomes earlier passes recorded
   * @param onTurn called after each turn
   */
  constructor(
    private kept: number,
    private readonly onTurn: () => void = () => undefined,
  ) {}

  /** The position of the last outcome that the code received; 0 before the first. */
  get given(): number {
    return this.last;
  }

  /** Whether outcomes are still to be handed to the code. */
  get isBusy(): boolean {
    return this.ready.length > 0 || this.held.length > 0 || this.isLoading;
  }

  /** An outcome is about to be recorded. It must get its turn, or be dropped. */
  expect(position: number): void {
    this.expected.add(position);
  }

  /** It produced no outcome. */
  drop(position: number): void {
    if (this.expected.delete(position)) this.schedule();
  }

  /** Hands out nothing any more: the pass is to end. */
  abandon(): void {
    this.abandoned = true;
    this.ready.length = 0;
    this.held.length = 0;
    this.isLoading = false;
    this.onTurn();
  }

  /**
   * Resolves when it is this outcome's turn; undefined when that is now, as in code without branches.
   * @param loading its turn lasts until this resolves; if it rejects, the turn never comes
   */
  turn(position: number, loading?: Promise<unknown>): Promise<void> | undefined {
    if (this.abandoned) return never();
    const isNew = this.expected.has(position);
    if (isNew && !loading && this.expected.size === 1 && this.kept === 0 && !this.isBusy && !this.scheduled) {
      this.expected.delete(position);
      this.last = position;
      return undefined;
    }
    return new Promise((resolve) => {
      this.ready.push({
        position,
        loading,
        give: () => {
          if (!this.expected.delete(position)) this.kept--;
          this.last = position;
          resolve();
        },
      });
      this.schedule();
    });
  }

  /** Resolves when the code has received every recorded outcome that it asks for: only then new work runs. */
  caughtUp(): Promise<void> | undefined {
    if (this.abandoned) return never();
    if (this.kept === 0) return undefined;
    return new Promise((resolve) => {
      this.held.push(resolve);
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.scheduled || this.isLoading || !this.isBusy) return;
    this.scheduled = true;
    // A tick that a microtask schedules comes when no microtask is left: every continuation has gone as far as it
    // could. Not by queueMicrotask, which costs a replay more.
    void RESOLVED.then(() => process.nextTick(() => this.next()));
  }

  private next(): void {
    this.scheduled = false;
    const first = this.takeFirst();
    if (first?.loading) {
      this.giveLoaded(first, first.loading);
      return;
    }
    if (first) first.give();
    else for (const go of this.held.splice(0)) go();
    this.goOn();
  }

  private giveLoaded(turn: Turn, loading: Promise<unknown>): void {
    this.isLoading = true;
    loading.then(
      () => {
        if (this.abandoned) return;
        this.isLoading = false;
        turn.give();
        this.goOn();
      },
      () => undefined,
    );
  }

  private goOn(): void {
    if (this.held.length > 0 || this.ready.some((turn) => !this.isBehind(turn))) this.schedule();
    this.onTurn();
  }

  private takeFirst(): Turn | undefined {
    let first: Turn | undefined;
    for (const turn of this.ready) if (!first || turn.position < first.position) first = turn;
    if (!first || this.isBehind(first)) return undefined;
    this.ready.splice(this.ready.indexOf(first), 1);
    return first;
  }

  private isBehind({ position }: Turn): boolean {
    // Positions are expected in rising order, so the first is the lowest: with thousands of branches, no search is
    // needed.
    const lowest = this.expected.values().next();
    return !lowest.done && lowest.value < position;
  }
}
