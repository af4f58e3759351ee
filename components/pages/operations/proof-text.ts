import type { Proof } from "@/lib/engine/operations/add-up-proof";
import { RUN_VERDICT_SENTENCES } from "@/lib/engine/steps/effect-verdict";
import { formatCount, plural } from "@/lib/format";

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
