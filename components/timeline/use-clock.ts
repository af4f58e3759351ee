"use client";

import { useCallback } from "react";
import { formatClock, formatMoment, type TimeZone } from "@/lib/format";

/** Writes an instant to the millisecond, with its day where that is not the run's. */
export function useClock(zone: TimeZone, runStart: string): (ms: number) => string {
  return useCallback(
    (ms: number) => {
      const text = `${formatClock(ms, zone)}.${String(Math.floor(ms) % 1_000).padStart(3, "0")}`;
      const day = formatMoment(new Date(ms).toISOString(), Date.parse(runStart), zone);
      return text.startsWith(day) ? text : `${day.slice(0, -6)} ${text}`;
    },
    [zone, runStart],
  );
}
