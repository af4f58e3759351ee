import type { LimitPlan } from "../../engine/queues/step-limit";
import type { Db } from "../../store/db";
import { callForPermits, type LimitKey, takePermits, wakeForPermit } from "../../store/queues/permits";
import type { Claim } from "../claims/claim";
import { faultPoint } from "../fault-points";
import { type Kept, waiting } from "../steps/keep-outcome";
import type { StepState } from "../steps/step-state";
import { againOnDeadlock } from "../transactions/conflicts";

/**
 * The permits of a worker's steps. Calls waiters after the commit of the outcome that frees a permit; there is no timer: what comes free
 * during one statement goes into the next. A call that is lost with this process is made up for by the waiters, which ask again by
 * themselves.
 */
export class Permits {
  private readonly freed = new Map<string, LimitKey>();
  /** Runs to wake. */
  private readonly called = new Set<string>();
  private round: Promise<void> | undefined;
  private closed = false;

  /** @param onWoken gets the ids of the runs that became claimable */
  constructor(
    private readonly db: Db,
    private readonly onWoken: (runIds: string[]) => void,
  ) {}

  /** Undefined: the next attempt of the step has its permits. @throws ClaimLost */
  async take(claim: Claim, state: StepState, limits: readonly LimitPlan[]): Promise<Kept | undefined> {
    const { name: step } = state.plan;
    await faultPoint("permit:before-take", step);
    const { id: runId, epoch } = claim.run;
    const asker = { runId, epoch, step, generation: state.generation, attempt: state.attempt + 1 };
    const answer = await claim.retrying(() => againOnDeadlock(() => takePermits(this.db, asker, limits)));
    await faultPoint("permit:after-take", step);
    if (!answer.owned) throw claim.lost();
    for (const called of answer.called) this.called.add(called);
    this.begin();
    if (answer.dueAt === null) return undefined;
    // Without an error: a wait for a retry has one.
    const receipt = await claim.keep({ step: state.row("waiting", { next: { at: answer.dueAt } }) });
    return { ...waiting(receipt.steps.get(step)), reason: "permit" };
  }

  /** An attempt with permits of these limits has an outcome. The next permit of a rate comes with time alone. */
  release(limits: readonly LimitPlan[]): void {
    for (const limit of limits)
      if (limit.concurrency !== null) this.freed.set(JSON.stringify([limit.name, limit.key]), limit);
    this.begin();
  }

  get isIdle(): boolean {
    return this.round === undefined;
  }

  /** Resolves when nothing is in flight. */
  async settled(): Promise<void> {
    await this.round;
  }

  /** The same, and sends nothing after it. */
  async close(): Promise<void> {
    await this.settled();
    this.closed = true;
  }

  private begin(): void {
    if (!this.closed && this.freed.size + this.called.size > 0) this.round ??= this.callWaiters();
  }

  private async callWaiters(): Promise<void> {
    // Batches the other outcomes of this turn of the event loop.
    await Promise.resolve();
    while (this.freed.size + this.called.size > 0) await this.callGathered().catch(() => undefined);
    this.round = undefined;
  }

  private async callGathered(): Promise<void> {
    const [freed, runIds] = [[...this.freed.values()], new Set(this.called)];
    this.freed.clear();
    this.called.clear();
    await faultPoint("permit:before-call");
    if (freed.length > 0)
      for (const called of await againOnDeadlock(() => callForPermits(this.db, freed))) runIds.add(called);
    for (const runId of runIds) await wakeForPermit(this.db, runId);
    await faultPoint("permit:after-call");
    if (runIds.size > 0) this.onWoken([...runIds]);
  }
}
