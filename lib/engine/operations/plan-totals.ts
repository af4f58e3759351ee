import { stepPattern } from "../steps/step-pattern";
import { CANCEL_SPLITS, type CancelSplit, type PlanItem } from "./plan";
import { MAX_KINDS } from "./plan-kinds";

export interface Count {
  name: string;
  count: number;
}

/** The totals of a plan. */
export interface PlanTotals {
  /** All runs, and those that the action will change. */
  runs: number;
  included: number;
  /** Runs that are left out, by reason, and runs that run again, by their first repeated step without the numbers of a loop: most first. */
  leftOut: Count[];
  again: Count[];
  /** Included runs of which no recorded step runs again, whatever the action. */
  goOn: number;
  effects: {
    /** Completed effects of the included runs that stay. */
    stay: number;
    /** Effects that are requested again, and those of them that are not protected against duplicates. */
    repeat: number;
    unprotected: number;
  };
  owed: number;
  /** Steps that run again and whose effect so far is not compensated any more; with the same keys, unless they complete again. */
  uncompensated: number;
  questions: number;
  /** Included runs on which the action requires a second person, and their workflows, the first 20. */
  secondPerson: { runs: number; workflows: string[] };
  /** For a cancel: the included runs by what they leave behind. */
  split: Record<CancelSplit, number> | null;
}

/** Sums items without keeping them. */
export class PlanTally {
  private runs = 0;
  private included = 0;
  private goOn = 0;
  private owed = 0;
  private uncompensated = 0;
  private questions = 0;
  private readonly leftOut: Counts = new Map();
  private readonly again: Counts = new Map();
  private readonly secondPerson = { runs: 0, workflows: new Set<string>() };
  private readonly effects = { stay: 0, repeat: 0, unprotected: 0 };
  private split: Record<CancelSplit, number> | null = null;

  add(item: PlanItem): void {
    this.runs++;
    if (item.included) this.addIncluded(item);
    else countUp(this.leftOut, item.because ?? "");
  }

  private addIncluded(item: PlanItem): void {
    this.included++;
    const [first] = item.again.first;
    if (first === undefined) this.goOn++;
    else countUp(this.again, stepPattern(first));
    this.effects.stay += item.stay.count;
    this.effects.repeat += item.repeats.count;
    this.effects.unprotected += item.unprotected;
    this.owed += item.owed.count;
    this.uncompensated += item.uncompensated.count;
    this.questions += item.questions.count;
    if (item.secondPerson !== null) {
      this.secondPerson.runs++;
      if (this.secondPerson.workflows.size < MAX_KINDS) this.secondPerson.workflows.add(item.workflow);
    }
    if (item.split) {
      this.split ??= Object.fromEntries(CANCEL_SPLITS.map((split) => [split, 0])) as Record<CancelSplit, number>;
      this.split[item.split]++;
    }
  }

  totals(): PlanTotals {
    const { runs, included, goOn, effects, owed, uncompensated, questions, secondPerson, split } = this;
    return {
      runs,
      included,
      leftOut: mostFirst(this.leftOut),
      again: mostFirst(this.again),
      goOn,
      effects: { ...effects },
      owed,
      uncompensated,
      questions,
      secondPerson: { runs: secondPerson.runs, workflows: [...secondPerson.workflows] },
      split,
    };
  }
}

const OTHERS = "others";

/** Null: of what is left. */
type Counts = Map<string | null, number>;

function countUp(counts: Counts, name: string): void {
  const key = counts.has(name) || counts.size < MAX_KINDS ? name : null;
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

const mostFirst = (counts: Counts): Count[] =>
  [...counts]
    .sort(([a, most], [b, least]) => Number(a === null) - Number(b === null) || least - most)
    .map(([name, count]) => ({ name: name ?? OTHERS, count }));
