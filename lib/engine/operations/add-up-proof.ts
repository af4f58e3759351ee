import { EFFECT_VERDICTS, type EffectVerdict, worstOf } from "../steps/effect-verdict";

/** What the effect ledger says about the runs of some items. */
export interface ProofPage {
  runs: number;
  /** Runs in which an effect may have no record. */
  lostAtEnd: number;
  steps: readonly {
    workflow: string;
    /** Null: all steps beyond the first hundred. */
    step: string | null;
    happened: number;
    keys: number;
    verdicts: Partial<Record<EffectVerdict, number>>;
  }[];
}

export interface StepSum {
  workflow: string;
  step: string | null;
  /** Effects that happened, by the record or by the word of a person or the provider. */
  happened: number;
  keys: number;
  maybeTwice: number;
  /** Without a final outcome: unknown, or in progress. */
  open: number;
}

export interface Proof {
  runs: number;
  /** Of these, runs that have not completed, and in which an effect may have no record. */
  lostAtEnd: number;
  steps: StepSum[];
  /** Null without an effect. */
  worst: EffectVerdict | null;
}

/** The proof of all pages; steps in the order of the pages. */
export function addUp(pages: readonly ProofPage[]): Proof {
  const sums = new Map<string, StepSum>();
  const present = new Set<EffectVerdict>();
  for (const { workflow, step, happened, keys, verdicts } of pages.flatMap((page) => page.steps)) {
    const name = JSON.stringify([workflow, step]);
    const sum = sums.get(name) ?? { workflow, step, happened: 0, keys: 0, maybeTwice: 0, open: 0 };
    sums.set(name, sum);
    const countOf = (verdict: EffectVerdict) => verdicts[verdict] ?? 0;
    sum.happened += happened;
    sum.keys += keys;
    sum.maybeTwice += countOf("maybe_twice");
    sum.open += countOf("unknown") + countOf("under_way");
    for (const verdict of EFFECT_VERDICTS) if (countOf(verdict) > 0) present.add(verdict);
  }
  const lostAtEnd = sumOf(pages, (page) => page.lostAtEnd);
  if (lostAtEnd > 0) present.add("unknown");
  return { runs: sumOf(pages, (page) => page.runs), lostAtEnd, steps: [...sums.values()], worst: worstOf(present) };
}

const sumOf = (pages: readonly ProofPage[], of: (page: ProofPage) => number) =>
  pages.reduce((total, page) => total + of(page), 0);
