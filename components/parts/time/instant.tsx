"use client";

import { formatRelative } from "@/lib/format";
import { formatClock, formatInstant, formatMoment, formatUtc, type TimeStyle } from "@/lib/format/times";
import { useFromNow } from "./use-now";
import { useTimes } from "./viewer-formats";

interface InstantProps {
  at: string;
  /** `moment`: clock, with the day where it is another; `relative`: how long ago; `full`: to the millisecond. */
  as?: "moment" | "relative" | "full" | "clock";
  className?: string;
}

/** A point in time in the viewer's zone, or the one they chose; on hover to the millisecond, with UTC. */
export function Instant({ at, as = "moment", className }: InstantProps) {
  const times = useTimes();
  const text = useFromNow((now) => textOf(at, as, now, times));
  return (
    <time dateTime={at} title={`${formatInstant(at, times)} · ${formatUtc(at)}`} className={className}>
      {text}
    </time>
  );
}

function textOf(at: string, as: InstantProps["as"], now: number | null, times: TimeStyle): string {
  if (as === "full") return formatInstant(at, times);
  if (as === "clock" || now === null) return formatClock(at, times);
  return as === "relative" ? formatRelative(at, now) : formatMoment(at, now, times);
}
