import { memo } from "react";
import { SEGMENT_LOOKS } from "@/components/domain/run/segment-kinds";
import { later } from "@/components/ui/later";
import { classNames } from "@/lib/class-names";
import type { Shape } from "../lanes/shape";
import type { Segment } from "../lanes/step-segments";
import type { Fold, TimeScale } from "../lanes/time-scale";
import type { Mark } from "../layers/layer";
import { TRACK_CELL } from "./columns";

export const RowMarks = later(() => import("../layers/row-marks").then((part) => part.RowMarks));

interface TimelineTrackProps {
  segments: Segment[];
  scale: TimeScale;
  /** Whether what is folded is marked; not where many rows are close. */
  folds?: boolean;
  marks?: readonly Mark[] | undefined;
  /** Where now is, while the lane goes on. */
  nowMs: number | null;
  /** Writes a bar's begin and end. */
  clock: (ms: number) => string;
}

/** The bars of one row, which a press goes through to the row. The arrow keys go through them; hovering one shows its own words. */
export const TimelineTrack = memo(function TimelineTrack({
  segments,
  scale,
  nowMs,
  clock,
  marks,
  folds = true,
}: TimelineTrackProps) {
  const retried = segments.filter(isAttempt).length > 1;
  return (
    <span data-track className={classNames("pointer-events-none relative block h-3.5", TRACK_CELL)}>
      {segments.map((segment, index) => (
        <Bar
          // biome-ignore lint/suspicious/noArrayIndexKey: bars have an order, and nothing else tells two apart
          key={index}
          index={index}
          segment={segment}
          scale={scale}
          clock={clock}
          tick={retried && isAttempt(segment)}
        />
      ))}
      {folds && <TrackMarks scale={scale} nowMs={nowMs} />}
      {marks && marks.length > 0 && <RowMarks marks={marks} scale={scale} />}
    </span>
  );
});

const isAttempt = ({ idle, kind }: Segment) => idle === null && kind !== "given";

function Bar({
  index,
  segment,
  scale,
  clock,
  tick,
}: { index: number; segment: Segment; tick: boolean } & Pick<TimelineTrackProps, "scale" | "clock">) {
  if (segment.to < scale.from || segment.from > scale.to) return null;
  const left = scale.place(segment.from);
  const width = scale.place(segment.to) - left;
  return (
    <span
      role="img"
      tabIndex={-1}
      data-bar={index}
      aria-label={`${segment.text}, ${clock(segment.from)} to ${clock(segment.to)}`}
      className={classNames(
        "absolute min-w-[3px]",
        SEGMENT_LOOKS[segment.kind].className,
        // A tick where each attempt begins: also of those too short to be distinguished.
        tick && "before:-top-[3px] before:absolute before:left-0 before:h-[3px] before:w-px before:bg-ink-3",
      )}
      // A bar at the very end keeps its least width inside the track.
      style={{ left: `min(${left * 100}%, calc(100% - 3px))`, width: `${width * 100}%` }}
    />
  );
}

/** The bars of many rows as one. */
export const ShapeTrack = memo(function ShapeTrack({
  shapes,
  scale,
  nowMs,
}: { shapes: Shape[] } & Pick<TimelineTrackProps, "scale" | "nowMs">) {
  return (
    <span aria-hidden data-drawn className={classNames("pointer-events-none relative block h-3.5", TRACK_CELL)}>
      {shapes.map(({ at, width, kind }) => (
        <span
          key={at}
          className={classNames("absolute", SEGMENT_LOOKS[kind].className, "rounded-none")}
          style={{ left: `${at * 100}%`, width: `max(1px, ${width * 100}%)` }}
        />
      ))}
      <TrackMarks scale={scale} nowMs={nowMs} />
    </span>
  );
});

function TrackMarks({ scale, nowMs }: Pick<TimelineTrackProps, "scale" | "nowMs">) {
  return (
    <>
      {scale.folds.map((fold) => (
        <ZigZag key={fold.from} fold={fold} />
      ))}
      {nowMs !== null && nowMs <= scale.to && (
        <span
          aria-hidden
          className="-inset-y-3 absolute w-px bg-accent"
          style={{ left: `${scale.place(nowMs) * 100}%` }}
        />
      )}
    </>
  );
}

/** Where idle time was folded. */
function ZigZag({ fold }: { fold: Fold }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 10 14"
      className="-translate-x-1/2 absolute -inset-y-0.5 h-[18px] w-[10px] md:-inset-y-2.5 md:h-[34px]"
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
