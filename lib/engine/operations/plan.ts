import { canonical } from "../audit/audit-chain";
import { sha256 } from "../digest";
import { isRepeatable, owesUndo, type StepFacts } from "../runs/operator-acts";
import { stepIdempotencyKey } from "../steps/idempotency-key";
import type { Effect } from "../steps/step";
import { demandOf, type FourEyesAct } from "./four-eyes";
import { concerned, mayActAsPlanned, type PlannedAct, type PlannedRunFacts } from "./planned-act";

/** Runs of one plan at most. More than these match a filter: it has to be narrowed. */
export const MAX_PLAN_ITEMS = 100_000;
/** An unused plan can be carried out for so long. */
export const PLAN_KEPT_MS = 86_400_000;
/** Steps that an item names of each kind; beyond them it counts. */
const MAX_NAMED = 20;

/** What a plan looks at: the run as the rules of acts see it, and what its steps have done to the world. */
export interface PlanFacts extends PlannedRunFacts {
  id: string;
  revision: number;
  steps: PlannedStepFacts[];
  /** Acts that take a second person in this run, as the code of its version says. */
  fourEyes: readonly FourEyesAct[];
}

export interface PlannedStepFacts extends StepFacts {
  keyGeneration: number;
  reference: string | null;
  /** When it began, and when the code first heard an outcome of it, in any generation; null for not yet. Microseconds. */
  beganAt: number;
  firstOutcomeAt: number | null;
}

/** An effect that has happened: what the step hands to the receiver as its key, and the receiver's own id for it. */
export interface PlannedEffect {
  step: string;
  effect: Effect;
  key: string;
  reference: string | null;
}

/** The first of so many. */
export interface Named<Item> {
  count: number;
  first: Item[];
}

/**
 * What an act leaves behind of a run that is cancelled: `clean` has no effect, `owes_compensation` only effects that declare
 * an undo, `past_undoing` one that declares none.
 */
export const CANCEL_SPLITS = ["clean", "owes_compensation", "past_undoing"] as const;
export type CancelSplit = (typeof CANCEL_SPLITS)[number];

/** What the act would do to one run. */
export interface PlanItem {
  runId: string;
  workflow: string;
  revision: number;
  generation: number;
  included: boolean;
  /** Why it is left out; null when it is in. */
  because: string | null;
  /** Steps that the act settles, whose undo it records, or whose wait it ends. */
  about: Named<PlannedEffect>;
  /** Steps whose result stays. */
  keeps: Named<string>;
  /** Steps that run again, in the order in which they were met; steps that were never reached are not among them. */
  again: Named<string>;
  /** Effects that have happened and stay. */
  stay: Named<PlannedEffect>;
  /** Effects that have or may have happened and are asked for again: by the same key, unless fresh ones were chosen. */
  repeats: Named<PlannedEffect>;
  /** Steps whose declared undo has no outcome. */
  owed: Named<string>;
  /** Questions that a person is asked again, or that nobody has answered. */
  questions: Named<string>;
  /** Of a cancel only. */
  split: CancelSplit | null;
  /** Why the act takes a second person on this run; null when one may do it alone. */
  secondPerson: FourEyesAct | null;
}

/** The item of one run. Pure: the same facts give the same item, when it is planned and when it is carried out. */
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

/** As the statements of the act set results aside, and for a new run all of them. */
function stepsToRunAgain(planned: PlannedAct, run: PlanFacts): PlannedStepFacts[] {
  const { act, params } = planned;
  if (act === "start_again") return run.steps;
  if (act === "rerun") return setAsideByRerun(params, run);
  if (act !== "settle") return [];
  const [step] = concerned(planned, run);
  if (params.outcome === "did_not_happen") return step ? [step] : [];
  // With the failed step that gets an outcome, those that failed beside it run again.
  return step?.status === "failed"
    ? run.steps.filter((other) => other !== step && other.status === "failed" && other.position >= step.position)
    : [];
}

/** As `lib/store/runs/rerun.ts`: what was chosen, and steps of unknown outcome that may be repeated, wherever they are. */
function setAsideByRerun(params: Extract<PlannedAct, { act: "rerun" }>["params"], run: PlanFacts): PlannedStepFacts[] {
  const chosen = chosenToRerun(params, run);
  return run.steps.filter((step) => chosen.includes(step) || isRepeatable(step));
}

/** A step and what was met after it, or began after its first outcome; or the steps that failed. */
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

/** A transaction's writes count as an effect, and a child is a run of its own. Waits have none. */
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
 * What a person decides on when they say yes to an item, as text to compare. A run may have moved since: as long as this is the
 * same, what they were told is still what happens.
 */
export function decidedOn(
  { act }: PlannedAct,
  { included, about, keeps, again, stay, repeats, owed, split }: PlanItem,
): string {
  switch (act) {
    case "rerun":
      return canonical({ included, keeps, again, stay, repeats });
    // What a worker completes meanwhile is no reason to let a run go on that somebody wants stopped, unless it costs more.
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

/** The digest of a plan, each item's over the one before: no plan has to be in memory as a whole. */
export class PlanHash {
  private hash: string;

  constructor(act: PlannedAct) {
    this.hash = sha256(canonical(act));
  }

  /** In the order of their positions. */
  add(item: PlanItem): void {
    this.hash = sha256(`${this.hash}\n${canonical(item)}`);
  }

  /** 64 hexadecimal digits. */
  digest(): string {
    return this.hash;
  }
}
