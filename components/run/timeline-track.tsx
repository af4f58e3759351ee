import { classNames } from "@/lib/class-names";
import { SEGMENT_LOOKS } from "./segment-kinds";
import type { Segment } from "./step-segments";
import type { Fold, TimeScale } from "./time-scale";
import { TRACK_CELL } from "./timeline-columns";

/** The bars of one row. They are heard through the row's own words; hovering one shows its own. */
export function TimelineTrack({ segments, scale }: { segments: Segment[]; scale: TimeScale }) {
  return (
    <span aria-hidden className={classNames("relative block h-3.5", TRACK_CELL)}>
      {segments.map((segment) => (
        <Bar key={`${segment.kind} ${segment.from}`} segment={segment} scale={scale} />
      ))}
      {scale.folds.map((fold) => (
        <ZigZag key={fold.at} fold={fold} />
      ))}
    </span>
  );
}

function Bar({ segment, scale }: { segment: Segment; scale: TimeScale }) {
  const left = scale.place(segment.from);
  const width = scale.place(segment.to) - left;
  return (
    <span
      title={segment.text}
      className={classNames("absolute min-w-[3px]", SEGMENT_LOOKS[segment.kind].className)}
      // A bar at the very end keeps its least width inside the track.
      style={{ left: `min(${left * 100}%, calc(100% - 3px))`, width: `${width * 100}%` }}
    />
  );
}

/** Where idle time was folded. */
function ZigZag({ fold }: { fold: Fold }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 10 14"
      className="-translate-x-1/2 absolute -inset-y-1.5 h-[26px] w-[10px]"
      style={{ left: `${(fold.at + fold.width / 2) * 100}%` }}
      preserveAspectRatio="none"
    >
      <path d="M3 0 1 3.5 3 7 1 10.5 3 14h6l-2-3.5L9 7 7 3.5 9 0z" fill="var(--bg)" />
      <path
        d="M3 0 1 3.5 3 7 1 10.5 3 14M9 0 7 3.5 9 7 7 10.5 9 14"
        fill="none"
        stroke="var(--field)"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
