"use client";

import { useCallback } from "react";
import { formatClockToMs, formatDay, isSameDay, type TimeStyle } from "@/lib/format/times";

/** Writes an instant to the millisecond, with its day where that is not the run's. */
export function useClock(times: TimeStyle, runStart: string): (ms: number) => string {
  return useCallback(
    (ms: number) => {
      const text = formatClockToMs(ms, times);
      return isSameDay(ms, runStart, times) ? text : `${formatDay(ms, times)} ${text}`;
    },
    [times, runStart],
  );
}
