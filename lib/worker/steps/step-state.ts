import { stepIdempotencyKey } from "../../engine/steps/idempotency-key";
import { EFFECTS, type Effect } from "../../engine/steps/step";
import type { TraceText } from "../../engine/traces/trace-context";
import type { AttemptRecord, StepRecord } from "../../store/workers/claim-record";
import type { ClaimedStep } from "../../store/workers/claim-runs";
import { errorText } from "./error-text";
import { shownText } from "./shown-text";
import type { StepClaim } from "./step-claim";
import { compensationMode, type StepPlan } from "./step-plan";

/** A rerun under the same key: what an attempt before it may have done under this key is not known by its failure either. */
function doubtBefore(row: ClaimedStep | undefined): string | null {
  if (!row || row.status === "completed" || row.nextKeyGeneration !== row.keyGeneration) return null;
  return (
    row.doubt ??
    (row.status === "unknown" ? errorText(new Error("An attempt before the rerun left no outcome.")) : null)
  );
}

/**
 * What an attempt in doubt was declared as still holds where this build declares less: a mail that may have been sent is not sent again
 * because its step is `idempotent` now.
 */
function effectOf(plan: StepPlan, before: ClaimedStep | undefined, doubt: string | null): Effect {
  if (!before || plan.kind !== "step" || before.kind !== "step") return plan.effect;
  if (doubt === null && before.status !== "running" && before.status !== "unknown") return plan.effect;
  return EFFECTS.indexOf(before.effect) > EFFECTS.indexOf(plan.effect) ? before.effect : plan.effect;
}

/** The progress of one step in this pass: the basis of its next record. */
export class StepState {
  /** Its row at the start of this claim; undefined when there was none, or a superseded one. */
  readonly live: ClaimedStep | undefined;
  readonly generation: number;
  readonly keyGeneration: number;
  readonly position: number;
  readonly effect: Effect;
  attempt: number;
  failures: number;
  /** The error of an attempt that may have had its effect without leaving an outcome. */
  doubt: string | null;
  /** Of the span that sent the event that it waited for. */
  sentIn: TraceText | null = null;
  private startedAt = performance.now();
  /** Of the last recorded outcome; an earlier one was rolled back with its transaction. */
  private outcomePosition: number | undefined;

  constructor(
    readonly plan: StepPlan,
    private readonly claim: StepClaim,
  ) {
    const row = claim.latestRow(plan.name);
    const live = row?.nextKeyGeneration === null ? row : undefined;
    this.live = live;
    this.generation = live?.generation ?? claim.run.generation;
    this.keyGeneration = live?.keyGeneration ?? row?.nextKeyGeneration ?? 1;
    this.position = live?.position ?? claim.nextPosition();
    this.attempt = live?.attempt ?? 0;
    this.failures = live?.failures ?? 0;
    this.doubt = live?.doubt ?? doubtBefore(row);
    this.effect = effectOf(plan, live ?? row, this.doubt);
  }

  /** Whether an attempt without an outcome may have had an effect. */
  get leavesDoubt(): boolean {
    return this.plan.leavesDoubt || this.effect !== this.plan.effect;
  }

  get idempotencyKey(): string {
    return stepIdempotencyKey(this.claim.run.id, this.plan.name, this.keyGeneration);
  }

  begin(): void {
    this.attempt++;
    this.startedAt = performance.now();
  }

  get startedMsAgo(): number {
    return performance.now() - this.startedAt;
  }

  /** A start that another worker made, before this claim. */
  recall(row: ClaimedStep): void {
    this.startedAt = performance.now() - row.startedMsAgo;
  }

  private takePosition(): number {
    this.withoutOutcome();
    this.outcomePosition = this.claim.nextFinishedPosition();
    return this.outcomePosition;
  }

  /** The recorded outcome was rolled back: other outcomes need not wait for it. */
  withoutOutcome(): void {
    if (this.outcomePosition !== undefined) this.claim.order.drop(this.outcomePosition);
    this.outcomePosition = undefined;
  }

  /** Resolves when the code may receive the outcome; undefined when that is now. */
  turn(): Promise<void> | undefined {
    const position = this.outcomePosition ?? this.takePosition();
    this.outcomePosition = undefined;
    return this.claim.order.turn(position);
  }

  /** The step's row with the fields that all its records share. */
  row(status: StepRecord["status"], given: Partial<StepRecord> = {}): StepRecord {
    const { plan } = this;
    const finished = status === "completed" || status === "failed";
    return {
      name: plan.name,
      generation: this.generation,
      kind: plan.kind,
      effect: this.effect,
      status,
      position: this.position,
      finishedPosition: finished ? this.takePosition() : null,
      attempt: this.attempt,
      failures: this.failures,
      maxAttempts: plan.retry.maxAttempts,
      keyGeneration: this.keyGeneration,
      output: null,
      error: null,
      reference: null,
      canAsk: plan.reconcile !== undefined,
      doubt: this.doubt,
      workerId: this.claim.workerId,
      startedMsAgo: this.startedMsAgo,
      next: null,
      compensationMode: compensationMode(plan),
      // Those that need no output: a person may declare an outcome.
      instructions: typeof plan.instructions === "string" ? shownText(() => plan.instructions) : null,
      ...given,
    };
  }

  attemptRow(
    status: AttemptRecord["status"],
    error: string | null,
    workerId: number | null = this.claim.workerId,
  ): AttemptRecord {
    return {
      step: this.plan.name,
      generation: this.generation,
      number: this.attempt,
      status,
      error,
      workerId,
      startedMsAgo: this.startedMsAgo,
    };
  }
}
