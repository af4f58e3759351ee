import { isPayloadLocked } from "../../engine/privacy/sealed";
import { backoffMs, sleep } from "../../store/database/backoff";
import { type Db, isRefusal } from "../../store/db";
import type { Receipt } from "../../store/steps/record";
import type { ClaimRecord, RunChange } from "../../store/workers/claim-record";
import type { ClaimedRun, ClaimedStep } from "../../store/workers/claim-runs";
import { holdsRun } from "../../store/workers/fence";
import { ClaimLost } from "../claims/claim-lost";
import type { ClaimEnd } from "../claims/tally";
import type { WriteBuffer } from "../records/write-buffer";
import { BodyAborts } from "../steps/body-aborts";
import { isKept } from "../steps/kept-step";
import type { Drift } from "../versions/drift";
import { type Wait, Waits } from "../waits/waits";
import { OutcomeOrder } from "./outcome-order";
import { RunNotes } from "./run-notes";
import type { StopReason } from "./stop-reason";

/** How one pass over a workflow's code ended. */
export type PassOutcome =
  | { kind: "completed"; value: unknown }
  | { kind: "failed"; error: unknown }
  | { kind: "suspended"; waits: ReadonlyMap<string, Wait> }
  | { kind: "drifted"; error: unknown }
  | { kind: Exclude<StopReason, "drifted"> };

const never = new Promise<never>(() => undefined);

/*
 * One pass over the code of one claimed run: the code runs from its top, recorded outcomes return at once, and the
 * first steps without an outcome are executed. The pass ends when the code does; when every branch waits (then the run
 * is suspended and its memory freed); or when it is stopped. It never ends under a body: work in flight is recorded
 * first.
 */
export class Pass {
  /** Ends with the first of: the code's end, suspension, a stop. */
  readonly outcome: Promise<PassOutcome>;
  /** The order in which the code gets its steps' outcomes. */
  readonly order: OutcomeOrder;
  private noted: RunNotes | undefined;
  readonly bodies = new BodyAborts();
  private readonly waits = new Waits();
  private readonly latest: Map<string, ClaimedStep>;
  private conclude!: (outcome: PassOutcome) => void;
  private settled: PassOutcome | undefined;
  private stopping: StopReason | undefined;
  private active = 0;
  private over = false;
  /** Some work was not begun because the pass is to end. */
  private heldBack = false;
  private drifted: Error | undefined;
  /** Why it cannot continue here: a payload is encrypted with a key that this process lacks. */
  lockedBecause: Error | undefined;
  /** Set when a step of this pass is recorded as unknown. */
  leftDoubt = false;
  /** Set when the pass has left the run waiting for a person. */
  needsPerson = false;
  private position: number;
  private finishedPosition: number;

  constructor(
    readonly run: ClaimedRun,
    readonly workerId: number,
    private readonly buffer: WriteBuffer,
    private readonly checkLease: () => void,
    readonly drift?: Drift,
  ) {
    this.latest = new Map(run.steps.map((step) => [step.name, step]));
    this.position = Math.max(0, ...run.steps.map((step) => step.position));
    this.finishedPosition = Math.max(0, ...run.steps.map((step) => step.finishedPosition ?? 0));
    this.order = new OutcomeOrder(run.steps.filter(isKept).length, () => this.look());
    this.outcome = new Promise((resolve) => {
      this.conclude = resolve;
    });
  }

  /** Why its bodies were aborted; undefined while they were not. */
  get abortedBecause(): Error | undefined {
    return this.bodies.because;
  }

  get isStopped(): boolean {
    return this.stopping !== undefined;
  }

  get stopReason(): StopReason | undefined {
    return this.stopping;
  }

  /** The latest row of a step, including a superseded one. */
  latestRow(name: string): ClaimedStep | undefined {
    this.drift?.meet(name);
    return this.latest.get(name);
  }

  nextPosition(): number {
    return ++this.position;
  }

  /** For an outcome that is about to be recorded: see OutcomeOrder. */
  nextFinishedPosition(): number {
    this.order.expect(++this.finishedPosition);
    return this.finishedPosition;
  }

  follow(code: Promise<unknown>): void {
    code
      .then(async (value) => {
        await this.stopOrNote(undefined);
        this.settle({ kind: "completed", value });
      })
      .catch((error) => (error instanceof ClaimLost ? this.stop("lost") : this.settle({ kind: "failed", error })));
  }

  /** @throws ClaimLost when the run has another owner; the pass is over then */
  async keep(given: Omit<ClaimRecord, "runId" | "epoch">): Promise<Receipt> {
    if (this.over) return never;
    try {
      const receipt = await this.buffer.keep(this.claimed(given, this.noted?.takeLines()));
      this.heed(receipt);
      return receipt;
    } catch (error) {
      if (error instanceof ClaimLost) this.stop("lost");
      throw error;
    }
  }

  /** Requests that people made for the run meanwhile. */
  heed({ asked }: Receipt): void {
    if (asked === "cancel") this.stop("cancelled");
    else if (asked === "pause") this.comeToRest();
  }

  /** The last record of the claim. A lost claim writes nothing. */
  async endClaim(run: RunChange): Promise<ClaimEnd> {
    this.needsPerson = run.to === "waiting" && run.attention !== null;
    return this.buffer.keep(this.claimed({ run, ...this.noted?.take() })).then(() => run.to, lostClaim);
  }

  /** The code's log lines and progress. Created on first use: most code has none. */
  get notes(): RunNotes {
    this.noted ??= new RunNotes(
      {
        epoch: this.run.epoch,
        heard: this.order,
        keptUntil: Math.max(0, ...this.run.steps.filter(isKept).map((step) => step.finishedPosition)),
        isWorking: () => this.active > 0,
      },
      (notes) => this.mention(notes),
    );
    return this.noted;
  }

  /** Before a statement beside the buffer that ends the claim: nothing can be recorded after it. */
  async keepNotes(keep = (notes: ClaimRecord): Promise<unknown> => this.buffer.keep(notes)): Promise<void> {
    const notes = this.noted?.take();
    if (notes) await keep(this.claimed(notes)).catch(lostClaim);
  }

  private claimed(given: Omit<ClaimRecord, "runId" | "epoch">, logs?: ClaimRecord["logs"]): ClaimRecord {
    const { id: runId, epoch } = this.run;
    return logs ? { ...given, runId, epoch, logs } : { ...given, runId, epoch };
  }

  /**
   * For statements beside the buffer: repeated until Postgres answers, or the claim is lost. @throws what Postgres
   * refused
   */
  async retrying<Result>(statement: () => Promise<Result>): Promise<Result> {
    for (let failures = 0; ; failures++) {
      try {
        return await statement();
      } catch (error) {
        if (isRefusal(error) || isPayloadLocked(error)) throw error;
        if (this.isLost) throw new ClaimLost(this.run.id);
        await sleep(backoffMs(failures));
      }
    }
  }

  /**
   * After a failure of the database: resolves when it accepts writes again, and a transaction of this claim with an
   * unknown end has ended, since that one holds the run's row. @throws ClaimLost
   */
  async untilUsable(db: Db): Promise<void> {
    const { id, epoch } = this.run;
    if (await this.retrying(() => holdsRun(db, id, epoch))) return;
    this.stop("lost");
    throw new ClaimLost(id);
  }

  mention(given: Omit<ClaimRecord, "runId" | "epoch">): () => void {
    return this.buffer.mention(this.claimed(given));
  }

  /**
   * Before a body: a process that was stopped past its lease resumes unaware of it, and another worker may have called
   * the provider meanwhile, or a person may have said that it did not happen.
   * @throws ClaimLost
   */
  assertOwned(): void {
    this.checkLease();
    if (this.isLost) throw new ClaimLost(this.run.id);
  }

  /**
   * Counts as work in flight until it settles: the pass does not end under it. Does not begin once the pass is to end.
   */
  async work<Result>(body: () => Promise<Result>): Promise<Result> {
    if (this.over || this.stopping || this.settled) {
      this.heldBack = true;
      this.look();
      return never;
    }
    this.active++;
    try {
      const result = await body();
      return this.isLost ? never : result;
    } catch (error) {
      if (this.isLost || error instanceof ClaimLost) return never;
      throw error;
    } finally {
      this.active--;
      this.look();
    }
  }

  /** Yields a turn of the event loop, in which a stop may arrive; begins no more work after one. */
  async checkpoint(): Promise<void> {
    await this.work(() => new Promise((resume) => setImmediate(resume)));
    if (this.stopping) await this.work(() => never);
  }

  /**
   * Resolves when the code has received the recorded outcomes that it asks for: only then `step` runs. Never in drifted
   * code.
   */
  beginAnew(step: string): Promise<void> | undefined {
    const caughtUp = this.order.caughtUp();
    return this.drift ? (caughtUp ?? Promise.resolve()).then(() => this.stopOrNote(step)) : caughtUp;
  }

  /** Never resolves in drifted code that stops. `undefined` is the code's end. */
  private stopOrNote(next: string | undefined): undefined | Promise<void> {
    return this.drifted || this.drift?.isSuspected(next) ? this.stopWhenDrifted(next) : undefined;
  }

  private async stopWhenDrifted(next: string | undefined): Promise<void> {
    const { drift } = this;
    const retrying: Pass["retrying"] = (statement) => this.retrying(statement);
    await this.work(async () => {
      this.drifted ??= await drift?.found(next, retrying);
      if (!this.drifted && drift?.note && next !== undefined) await drift.keepFirst(retrying);
    });
    if (!this.drifted) return;
    this.stop("drifted");
    await never;
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

  /**
   * `released` and `locked` let the bodies in flight finish; the others abort them. Their outcomes are recorded, unless
   * the claim is lost.
   */
  stop(reason: StopReason): void {
    if (this.over || this.stopping === "lost") return;
    this.stopping = reason;
    if (reason !== "released" && reason !== "locked") this.bodies.abort(reason);
    this.look();
  }

  /** Work in flight finishes, and the run is left to workers that have the key. */
  stopLocked(because: Error): void {
    this.lockedBecause ??= because;
    this.stop("locked");
  }

  /**
   * An operator wants the run paused, or its workflow's window has ended: work in flight finishes, and the run is
   * handed back.
   */
  comeToRest(): void {
    if (!this.isStopped) this.stop("released");
  }

  /** Whether the outcome of some step of the run may be unknown. */
  get mayBeInDoubt(): boolean {
    return this.leftDoubt || this.run.steps.some(({ status }) => status === "unknown");
  }

  /** Whether something that it waits for may occur within `ms`, or have occurred by now. */
  mayGoOnWithin(ms: number): boolean {
    return [...this.waits.all.values()].some(({ dueInMs }) => dueInMs === null || dueInMs < ms);
  }

  private get isLost(): boolean {
    return this.stopping === "lost";
  }

  private settle(outcome: PassOutcome): void {
    this.settled ??= outcome;
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
      if (this.settled) this.end(this.settled);
      else if (this.stopping === "drifted") this.end({ kind: "drifted", error: this.drifted });
      else if (this.stopping && !(this.stopping === "released" && onlyWaits)) this.end({ kind: this.stopping });
      else this.end({ kind: "suspended", waits: this.waits.all });
    });
  }

  private get atRest(): boolean {
    if (this.active > 0 || this.order.isBusy) return false;
    return this.waits.all.size > 0 || this.settled !== undefined || this.stopping !== undefined;
  }

  private end(outcome: PassOutcome): void {
    this.over = true;
    this.bodies.close();
    this.waits.close();
    this.conclude(outcome);
  }
}

function lostClaim(error: unknown): "lost" {
  if (error instanceof ClaimLost) return "lost";
  throw error;
}
