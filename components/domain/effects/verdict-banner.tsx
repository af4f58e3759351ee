import { StatusLabel } from "@/components/parts/status/status-label";
import { Callout } from "@/components/ui/feedback/callout";
import type { EffectTally } from "@/lib/api/contract/effects";
import { EFFECT_VERDICTS, type EffectVerdict, RUN_VERDICT_SENTENCES } from "@/lib/engine/steps/effect-verdict";
import { formatCount, plural } from "@/lib/format";
import { VERDICT_LOOKS, VERDICT_TONES } from "./effect-looks";

interface VerdictBannerProps {
  tally: EffectTally;
  /** The verdicts to filter by; none: all. */
  shown: EffectVerdict[];
  onShow: (verdicts: EffectVerdict[]) => void;
}

/** What the record proves of the run, in one sentence, with its numbers; a click on one filters by it. */
export function VerdictBanner({ tally, shown, onShow }: VerdictBannerProps) {
  if (tally.verdict === null) return null;
  const counted = EFFECT_VERDICTS.filter((verdict) => tally.counts[verdict] > 0).toReversed();
  return (
    <Callout tone={VERDICT_TONES[tally.verdict]} title={RUN_VERDICT_SENTENCES[tally.verdict]}>
      <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-0.5">
        {counted.map((verdict) => (
          <button
            key={verdict}
            type="button"
            aria-pressed={shown.includes(verdict)}
            onClick={() => onShow(shown.includes(verdict) ? [] : [verdict])}
            className="inline-flex min-h-6 items-center gap-1.5 rounded px-1 hover:underline aria-pressed:bg-panel aria-pressed:font-medium max-md:min-h-11"
          >
            <StatusLabel look={VERDICT_LOOKS[verdict]} /> {formatCount(tally.counts[verdict])}
          </button>
        ))}
        <span className="text-ink-2">
          of {tally.capped ? "the first " : ""}
          {plural(tally.total, "effect")}, as recorded; providers were not queried
        </span>
      </div>
      {tally.lostAtEnd && (
        <p className="mt-1">
          A worker was lost, and nothing was recorded after: a step that it may have started is not in this list.
        </p>
      )}
    </Callout>
  );
}
