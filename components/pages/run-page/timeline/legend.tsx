import { memo } from "react";
import { SEGMENT_LOOKS, type SegmentKind } from "@/components/domain/run/segment-kinds";
import { classNames } from "@/lib/class-names";
import type { Lane } from "../lanes/lanes";
import type { Layer } from "../layers/layer";
import { LayerLegend } from "../layers/row-marks";

const ORDER: SegmentKind[] = [
  "completed",
  "executing",
  "retried",
  "failed",
  "unknown",
  "interrupted",
  "backoff",
  "waiting",
  "owed",
  "queued",
  "given",
];

interface LegendProps {
  lanes: readonly Lane[];
  overlays: readonly Layer[];
}

/** The patterns that this timeline uses, and no others. */
export const TimelineLegend = memo(function TimelineLegend({ lanes, overlays }: LegendProps) {
  const used = new Set<SegmentKind>();
  for (const { rows } of lanes) for (const { segments } of rows) for (const { kind } of segments) used.add(kind);
  return (
    <ul aria-label="Legend" className="flex flex-wrap gap-x-4 gap-y-1 px-4 pt-4 pb-6 text-ink-3 text-micro md:px-6">
      {ORDER.filter((kind) => used.has(kind)).map((kind) => (
        <li key={kind} className="flex items-center gap-1.5">
          <span aria-hidden data-drawn className="relative block h-3.5 w-5">
            <span className={classNames("absolute inset-x-0", SEGMENT_LOOKS[kind].className)} />
          </span>
          {SEGMENT_LOOKS[kind].word}
        </li>
      ))}
      {overlays.length > 0 && <LayerLegend shown={overlays} />}
    </ul>
  );
});
