import type { EffectTally } from "@/lib/api/contract/effects";
import { EFFECT_VERDICTS, RUN_VERDICT_SENTENCES } from "@/lib/engine/effect-verdict";
import { formatCount, plural } from "@/lib/format";
import { StatusLabel } from "../status/status-label";
import { Callout } from "../ui/callout";
import { VERDICT_LOOKS, VERDICT_TONES } from "./effect-looks";

/** What the record proves of the run, in one sentence, with its numbers. */
export function VerdictBanner({ tally }: { tally: EffectTally }) {
  if (tally.verdict === null) return null;
  const counted = EFFECT_VERDICTS.filter((verdict) => tally.counts[verdict] > 0).toReversed();
  return (
    <Callout tone={VERDICT_TONES[tally.verdict]} title={RUN_VERDICT_SENTENCES[tally.verdict]}>
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
        {counted.map((verdict) => (
          <span key={verdict} className="inline-flex items-center gap-1.5">
            <StatusLabel look={VERDICT_LOOKS[verdict]} /> {formatCount(tally.counts[verdict])}
          </span>
        ))}
        <span className="text-ink-2">
          of {tally.capped ? "the first " : ""}
          {plural(tally.total, "effect")}, from what is recorded here: no receiver was asked
        </span>
      </p>
    </Callout>
  );
}
