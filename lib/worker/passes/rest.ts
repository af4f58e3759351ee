import { ClaimLost } from "../claims/claim-lost";
import { BodyAborts } from "../steps/body-aborts";
import { type Wait, Waits } from "../waits/waits";
import { OutcomeOrder } from "./outcome-order";
import { never, started } from "./promises";
import type { StopReason } from "./stop-reason";

/** How one pass over a workflow's code ended. */
export type PassOutcome =
  | { kind: "completed"; value: unknown }
  | { kind: "failed"; error: unknown }
  | { kind: "suspended"; waits: ReadonlyMap<string, Wait> }
  | { kind: StopReason; because?: Error };

/*
 * Whether a pass goes on, and how it ends: the work in flight, the waits, and the stops. It ends when the code does; when
 * every branch waits (then the run is suspended and its memory freed); or when it is stopped. It never ends under a
 * body: work in flight is recorded first. It knows neither the run nor the database.
 */
export class Rest {
  /** Resolves with the first of: the code's end, suspension, a stop. */
  readonly outcome: Promise<PassOutcome>;
  /** The order in which the code gets its steps' outcomes. */
  readonly order: OutcomeOrder;
  readonly bodies = new BodyAborts();
  private readonly waits = new Waits();
  private conclude!: (outcome: PassOutcome) => void;
  private codeEnd: PassOutcome | undefined;
  private stopped: { kind: StopReason; because?: Error } | undefined;
  private active = 0;
  private over = false;
  /** Some work was not begun because the pass is to end. */
  private heldBack = false;

  /** @param kept how many outcomes earlier passes recorded */
  constructor(kept: number) {
    this.order = new OutcomeOrder(kept, () => this.look());
    this.outcome = new Promise((resolve) => {
      this.conclude = resolve;
    });
  }

  /** Why the pass is to end before its code does; undefined while it goes on. */
  get stopReason(): StopReason | undefined {
    return this.stopped?.kind;
  }

  /** The run has another owner now. */
  get isLost(): boolean {
    return this.stopReason === "lost";
  }

  /** The pass has ended: nothing of it is recorded any more. */
  get isOver(): boolean {
    return this.over;
  }

  get isWorking(): boolean {
    return this.active > 0;
  }

  follow(code: Promise<unknown>): void {
    code.then(
      (value) => this.settle({ kind: "completed", value }),
      (error) => (error instanceof ClaimLost ? this.stop("lost") : this.settle({ kind: "failed", error })),
    );
  }

  /**
   * Counts as work in flight until it settles: the pass does not end under it. Does not begin once the pass is to end.
   */
  work<Result>(body: () => Promise<Result>): Promise<Result> {
    if (this.over || this.stopped || this.codeEnd) {
      this.heldBack = true;
      this.look();
      return never();
    }
    this.active++;
    return started(body).then(
      (result) => {
        this.worked();
        return this.isLost ? never() : result;
      },
      (error) => {
        this.worked();
        if (this.isLost || error instanceof ClaimLost) return never();
        throw error;
      },
    );
  }

  private worked(): void {
    this.active--;
    this.look();
  }

  /** Yields a turn of the event loop, in which a stop may arrive; begins no more work after one. */
  async checkpoint(): Promise<void> {
    await this.work(() => new Promise((resume) => setImmediate(resume)));
    if (this.stopped) await this.work(never);
  }

  /**
   * Resolves when the wait is due, or woken, while the run is still in memory; never when the run is suspended
   * meanwhile.
   */
  park(step: string, wait: Wait): Promise<void> {
    const ended = this.waits.until(step, wait);
    this.look();
    return ended;
  }

  /** Something that the run waits for may have arrived: its waits check again. */
  wake(): void {
    this.waits.wake();
  }

  /** Whether something that it waits for may occur within `ms`, or have occurred by now. */
  mayGoOnWithin(ms: number): boolean {
    return [...this.waits.all.values()].some(({ dueInMs }) => dueInMs === null || dueInMs < ms);
  }

  /**
   * `released` and `locked` let the bodies in flight finish; the others abort them. Their outcomes are recorded, unless
   * the claim is lost.
   */
  stop(kind: StopReason, because?: Error): void {
    if (this.over || this.isLost) return;
    this.stopped = because ? { kind, because } : { kind };
    if (kind !== "released" && kind !== "locked") this.bodies.abort(kind);
    this.look();
  }

  /**
   * An operator wants the run paused, or its workflow's window has ended: work in flight finishes, and the run is
   * handed back.
   */
  comeToRest(): void {
    if (!this.stopped) this.stop("released");
  }

  private settle(codeEnd: PassOutcome): void {
    this.codeEnd ??= codeEnd;
    this.look();
  }

  /**
   * Called whenever something came to rest. A turn of the event loop later every continuation has made its next call.
   */
  private look(): void {
    if (this.over) return;
    if (this.isLost) this.end({ kind: "lost" });
    else if (!this.atRest) return;
    setImmediate(() => {
      if (this.over || !this.atRest) return;
      // A run that only waits is suspended, not handed back: no worker could continue it.
      const onlyWaits = this.waits.all.size > 0 && !this.heldBack;
      if (this.codeEnd) this.end(this.codeEnd);
      else if (this.stopped && !(this.stopped.kind === "released" && onlyWaits)) this.end(this.stopped);
      else this.end({ kind: "suspended", waits: this.waits.all });
    });
  }

  private get atRest(): boolean {
    if (this.active > 0 || this.order.isBusy) return false;
    return this.waits.all.size > 0 || this.codeEnd !== undefined || this.stopped !== undefined;
  }

  private end(outcome: PassOutcome): void {
    this.over = true;
    this.bodies.close();
    this.waits.close();
    this.conclude(outcome);
  }
}
