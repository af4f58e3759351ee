import type { Proof } from "@/lib/engine/operations/add-up-proof";
import { RUN_VERDICT_SENTENCES } from "@/lib/engine/steps/effect-verdict";
import { formatCount, plural } from "@/lib/format";

/** What the effects together mean, in sentences. */
export const verdictOf = ({ lostAtEnd, worst }: Pick<Proof, "lostAtEnd" | "worst">): string[] => [
  ...(worst ? [RUN_VERDICT_SENTENCES[worst]] : []),
  ...(lostAtEnd > 0 ? [`In ${plural(lostAtEnd, "run")} a worker was lost after the last recorded outcome.`] : []),
];

/** To be pasted into a ticket or a chat. */
export function proofText(title: string, { runs, lostAtEnd, steps, worst }: Proof, url: string): string {
  const lines = steps.map(
    ({ step, happened, keys, maybeTwice, open }) =>
      `${step ?? "all other steps"}: ${formatCount(happened)} happened, ${plural(keys, "key")}, ${formatCount(maybeTwice)} maybe twice, ${formatCount(open)} open`,
  );
  return [
    title,
    [`${plural(runs, "repaired run")}.`, ...verdictOf({ lostAtEnd, worst })].join(" "),
    ...lines,
    url,
  ].join("\n");
}
