import { canonical } from "../audit/audit-chain";
import { sha256 } from "../digest";
import type { RunFacts, StepFacts } from "../runs/operator-acts";
import type { Effect } from "../steps/step";
import type { FourEyesAct } from "./four-eyes";

/** Most runs of one plan. A filter that matches more has to be narrowed. */
export const MAX_PLAN_ITEMS = 100_000;
/** How long an unused plan can be executed. */
export const PLAN_KEPT_MS = 86_400_000;
/** Input of a plan: the run as the rules of actions see it, and the effects of its steps. */
export interface PlanFacts extends RunFacts {
  id: string;
  workflow: string;
  revision: number;
  generation: number;
  /** The version that an operator has chosen for it. */
  chosenVersion: number | null;
  /** Versions whose code does not fit the run's record, with the first of the steps that they lack. */
  unfit: readonly { version: number; gone: string }[];
  steps: PlannedStepFacts[];
  /** What the completed effects of its descendants leave behind that end with it, or have ended; `clean` unless requested. */
  splitBelow: CancelSplit;
  /** Why the run's work may not begin anew, where a step of a descendant may have happened; null without one, and unless requested. */
  doubtBelow: string | null;
  /** Actions that require a second person for this run, as its version's code declares. */
  fourEyes: readonly FourEyesAct[];
}

export interface PlannedStepFacts extends StepFacts {
  keyGeneration: number;
  reference: string | null;
  /** When it began, and when the code first received its outcome, in any generation; null for not yet. Microseconds. */
  beganAt: number;
  firstOutcomeAt: number | null;
}

/** A completed effect: the idempotency key sent to the provider, and the provider's id for it. */
export interface PlannedEffect {
  step: string;
  effect: Effect;
  key: string;
  reference: string | null;
}

/** The first few, and the total. */
export interface Named<Item> {
  count: number;
  first: Item[];
}

/**
 * What a cancel leaves behind of a run: `clean` has no effect, `owes_compensation` only effects with a declared
 * compensation, `past_undoing` one without.
 */
export const CANCEL_SPLITS = ["clean", "owes_compensation", "past_undoing"] as const;
export type CancelSplit = (typeof CANCEL_SPLITS)[number];

/** What the action would do to one run. */
export interface PlanItem {
  runId: string;
  workflow: string;
  revision: number;
  generation: number;
  included: boolean;
  /** Why it is left out; null if it is included. */
  because: string | null;
  /** Steps that the action resolves, compensates or ends the wait of. */
  about: Named<PlannedEffect>;
  /** Steps that keep their result. */
  keeps: Named<string>;
  /** Steps that run again, in position order, without steps that were never reached. */
  again: Named<string>;
  /** Completed effects that stay. */
  stay: Named<PlannedEffect>;
  /** Effects that have or may have happened and are requested again: with the same key, unless fresh were chosen. */
  repeats: Named<PlannedEffect>;
  /** How many of these nothing protects from happening twice: those of `once` steps; all of them, with fresh keys. */
  unprotected: number;
  /** Steps whose declared compensation has no outcome. */
  owed: Named<string>;
  /**
   * Of the steps that run again: completed ones with a declared compensation. Their effect so far is not compensated any
   * more; with the same key it is the same effect again if the step completes again, and then is.
   */
  uncompensated: Named<string>;
  /** Questions that are asked again, or are unanswered. */
  questions: Named<string>;
  /** For a cancel only. */
  split: CancelSplit | null;
  /** Why the action requires a second person on this run; null if it does not. */
  secondPerson: FourEyesAct | null;
}

/**
 * The digest of a plan, each item's chained to the previous one: the plan never has to fit in memory. It is shown to people who may not
 * see masked parameters: with a salt nobody can try values until one has this digest.
 */
export class PlanHash {
  private hash: string;

  /** @param salt of this plan alone, and in no answer */
  constructor(act: { act: string; params: object }, salt: string) {
    this.hash = sha256(`${salt}\n${canonical(act)}`);
  }

  /** Call in the order of their positions. */
  add(item: PlanItem): void {
    this.hash = sha256(`${this.hash}\n${canonical(item)}`);
  }

  /** 64 hexadecimal digits. */
  digest(): string {
    return this.hash;
  }
}
