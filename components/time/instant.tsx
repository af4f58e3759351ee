"use client";

import { formatClock, formatInstant, formatMoment, formatRelative, formatUtc } from "@/lib/format";
import { useFromNow } from "./use-now";
import { useZone } from "./use-zone";

interface InstantProps {
  at: string;
  /** `moment`: clock, with the day where it is another; `relative`: how long ago; `full`: to the millisecond. */
  as?: "moment" | "relative" | "full" | "clock";
  className?: string;
}

/** A point in time in the viewer's zone, or the one they chose; on hover to the millisecond, with UTC. */
export function Instant({ at, as = "moment", className }: InstantProps) {
  const zone = useZone();
  const text = useFromNow((now) => textOf(at, as, now, zone));
  return (
    <time dateTime={at} title={`${formatInstant(at, zone)} · ${formatUtc(at)}`} className={className}>
      {text}
    </time>
  );
}

function textOf(at: string, as: InstantProps["as"], now: number | null, zone: string | undefined): string {
  if (as === "full") return formatInstant(at, zone);
  if (as === "clock" || now === null) return formatClock(at, zone);
  return as === "relative" ? formatRelative(at, now) : formatMoment(at, now, zone);
}
