import type { OperationProofResponse } from "@/lib/api/contract/operations";
import { EFFECT_VERDICTS, type EffectVerdict, RUN_VERDICT_SENTENCES, worstOf } from "@/lib/engine/steps/effect-verdict";
import { formatCount, plural } from "@/lib/format";

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
export function addUp(pages: readonly OperationProofResponse[]): Proof {
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

/** To be pasted into a ticket or a chat. */
export function proofText(title: string, { runs, steps, worst }: Proof, url: string): string {
  const lines = steps.map(
    ({ step, happened, keys, maybeTwice, open }) =>
      `${step ?? "all other steps"}: ${formatCount(happened)} happened, ${plural(keys, "key")}, ${formatCount(maybeTwice)} maybe twice, ${formatCount(open)} open`,
  );
  return [
    title,
    `${plural(runs, "repaired run")}. ${worst ? RUN_VERDICT_SENTENCES[worst] : ""}`.trim(),
    ...lines,
    url,
  ].join("\n");
}
