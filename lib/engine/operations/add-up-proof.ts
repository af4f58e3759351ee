import { EFFECT_VERDICTS, type EffectVerdict, worstOf } from "../steps/effect-verdict";

/** What the effect ledger says about the runs of some items. */
export interface ProofPage {
  runs: number;
  steps: readonly {
    workflow: string;
    /** Null: all steps beyond the first hundred. */
    step: string | null;
    keys: number;
    verdicts: Partial<Record<EffectVerdict, number>>;
  }[];
}

export interface StepSum {
  workflow: string;
  step: string | null;
  /** Effects that happened, as recorded, supplied by a person, or under one key. */
  happened: number;
  keys: number;
  maybeTwice: number;
  /** Without a final outcome: unknown, or in progress. */
  open: number;
}

export interface Proof {
  runs: number;
  steps: StepSum[];
  /** Null without an effect. */
  worst: EffectVerdict | null;
}

/** The proof of all pages; steps in the order in which they were met. */
export function addUp(pages: readonly ProofPage[]): Proof {
  const sums = new Map<string, StepSum>();
  const met = new Set<EffectVerdict>();
  for (const { workflow, step, keys, verdicts } of pages.flatMap((page) => page.steps)) {
    const name = `${workflow} ${step}`;
    const sum = sums.get(name) ?? { workflow, step, happened: 0, keys: 0, maybeTwice: 0, open: 0 };
    sums.set(name, sum);
    const of = (...these: EffectVerdict[]) => these.reduce((total, verdict) => total + (verdicts[verdict] ?? 0), 0);
    sum.happened += of("once", "vouched", "same_key", "maybe_twice");
    sum.keys += keys;
    sum.maybeTwice += of("maybe_twice");
    sum.open += of("unknown", "under_way");
    for (const verdict of EFFECT_VERDICTS) if (of(verdict) > 0) met.add(verdict);
  }
  return { runs: pages.reduce((total, { runs }) => total + runs, 0), steps: [...sums.values()], worst: worstOf(met) };
}
