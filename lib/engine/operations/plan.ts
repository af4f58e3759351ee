import { canonical } from "../audit/audit-chain";
import { sha256 } from "../digest";
import { isRepeatable, owesUndo, type StepFacts } from "../runs/operator-acts";
import { stepIdempotencyKey } from "../steps/idempotency-key";
import type { Effect } from "../steps/step";
import { demandOf, type FourEyesAct } from "./four-eyes";
import { concerned, mayActAsPlanned, type PlannedAct, type PlannedRunFacts } from "./planned-act";

/** Most runs of one plan. A filter that matches more has to be narrowed. */
export const MAX_PLAN_ITEMS = 100_000;
/** How long an unused plan can be executed. */
export const PLAN_KEPT_MS = 86_400_000;
/** Steps of each kind that an item names; the rest is only counted. */
const MAX_NAMED = 20;

/** Input of a plan: the run as the rules of actions see it, and the effects of its steps. */
export interface PlanFacts extends PlannedRunFacts {
  id: string;
  revision: number;
  steps: PlannedStepFacts[];
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
  /** Steps whose declared compensation has no outcome. */
  owed: Named<string>;
  /** Questions that are asked again, or are unanswered. */
  questions: Named<string>;
  /** For a cancel only. */
  split: CancelSplit | null;
  /** Why the action requires a second person on this run; null if it does not. */
  secondPerson: FourEyesAct | null;
}

/** The item of one run. Pure: the same facts give the same item, when it is planned and when it is executed. */
export function planItem(act: PlannedAct, run: PlanFacts, live: readonly number[]): PlanItem {
  const openness = mayActAsPlanned(act, run, live);
  const again = openness.open ? stepsToRunAgain(act, run) : [];
  const stays = run.steps.filter((step) => !again.includes(step));
  const owed = stays.filter(owesUndo);
  const effects = stays.filter(hasHappened);
  const asked = again.length > 0 || act.act === "rerun" ? again : stays.filter(({ status }) => status === "waiting");
  return {
    runId: run.id,
    workflow: run.workflow,
    revision: run.revision,
    generation: run.generation,
    included: openness.open,
    because: openness.open ? null : openness.because,
    about: named(openness.open ? concerned(act, run).map((step) => effectOf(run.id, step)) : []),
    keeps: named(stays.filter(({ status }) => status === "completed" || status === "skipped").map(nameOf)),
    again: named(again.map(nameOf)),
    stay: named(effects.map((step) => effectOf(run.id, step))),
    repeats: named(
      again.filter((step) => hasHappened(step) || isRepeated(act, step)).map((step) => effectOf(run.id, step)),
    ),
    owed: named(owed.map(nameOf)),
    questions: named(asked.filter(({ kind }) => kind === "approval").map(nameOf)),
    split: act.act === "cancel" && openness.open ? splitOf(effects) : null,
    secondPerson: openness.open ? demandOf(run.fourEyes, act) : null,
  };
}

/** The same steps that the action's statements supersede; for a new run, all of them. */
function stepsToRunAgain(planned: PlannedAct, run: PlanFacts): PlannedStepFacts[] {
  const { act, params } = planned;
  if (act === "start_again") return run.steps;
  if (act === "rerun") return setAsideByRerun(params, run);
  if (act !== "settle") return [];
  const [step] = concerned(planned, run);
  if (params.outcome === "did_not_happen") return step ? [step] : [];
  // Resolving a failed step also reruns the other failed steps.
  return step?.status === "failed"
    ? run.steps.filter((other) => other !== step && other.status === "failed" && other.position >= step.position)
    : [];
}

/** As `lib/store/runs/rerun.ts`: the chosen steps, and all repeatable steps of unknown outcome. */
function setAsideByRerun(params: Extract<PlannedAct, { act: "rerun" }>["params"], run: PlanFacts): PlannedStepFacts[] {
  const chosen = chosenToRerun(params, run);
  return run.steps.filter((step) => chosen.includes(step) || isRepeatable(step));
}

/** A step and those with a later position, or that began after its first outcome; or the failed steps. */
function chosenToRerun(
  { fromStep, scope }: Extract<PlannedAct, { act: "rerun" }>["params"],
  run: PlanFacts,
): PlannedStepFacts[] {
  const from = run.steps.find(({ name }) => name === (fromStep ?? run.failedStep));
  if (!from) return [];
  const after = run.steps.filter(({ position }) => position >= from.position);
  if (fromStep === undefined) return after.filter(({ status }) => status === "failed");
  if (scope !== "branch") return after;
  const { firstOutcomeAt } = from;
  return after.filter((step) => step === from || (firstOutcomeAt !== null && step.beganAt >= firstOutcomeAt));
}

const isRepeated = ({ act }: PlannedAct, step: PlannedStepFacts) => act === "rerun" && isRepeatable(step);

/** A transaction's writes count as an effect, and a child is a separate run. Waits have no effect. */
const hasHappened = ({ status, kind, effect }: PlannedStepFacts) =>
  status === "completed" && (kind === "transaction" || kind === "child" || (kind === "step" && effect !== "pure"));

const hasUndo = (step: PlannedStepFacts) => step.compensationMode !== "none";

function splitOf(effects: readonly PlannedStepFacts[]): CancelSplit {
  if (effects.length === 0) return "clean";
  return effects.every(hasUndo) ? "owes_compensation" : "past_undoing";
}

const nameOf = ({ name }: PlannedStepFacts) => name;

const effectOf = (runId: string, { name, effect, keyGeneration, reference }: PlannedStepFacts): PlannedEffect => ({
  step: name,
  effect,
  key: stepIdempotencyKey(runId, name, keyGeneration),
  reference,
});

const named = <Item>(all: readonly Item[]): Named<Item> => ({ count: all.length, first: all.slice(0, MAX_NAMED) });

/**
 * What a person approves in an item, as text to compare. A run may have moved since: while this is the same, the
 * approved description is still accurate.
 */
export function decidedOn(
  { act }: PlannedAct,
  { included, about, keeps, again, stay, repeats, owed, split }: PlanItem,
): string {
  switch (act) {
    case "rerun":
      return canonical({ included, keeps, again, stay, repeats });
    // Steps that a worker completes meanwhile do not invalidate a cancel, unless it costs more.
    case "cancel":
      return canonical({ included, split, owed: owed.count });
    case "settle":
      return canonical({ included, about, again, repeats });
    case "wake":
    case "mark_compensated":
      return canonical({ included, about });
    case "compensate":
      return canonical({ included, owed });
    case "start_again":
      return canonical({ included, repeats });
    case "pause":
    case "resume":
    case "send_event":
    case "move":
      return canonical({ included });
  }
}

/** The digest of a plan, each item's chained to the previous one: the plan never has to fit in memory. */
export class PlanHash {
  private hash: string;

  constructor(act: PlannedAct) {
    this.hash = sha256(canonical(act));
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
