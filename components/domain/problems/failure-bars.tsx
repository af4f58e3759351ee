"use client";

import { Bars } from "@/components/parts/charts/bars";
import { useTimes } from "@/components/parts/time/viewer-formats";
import type { ProblemSeries } from "@/lib/api/contract/problems";
import { formatCount, plural } from "@/lib/format";
import { formatWeekdayMinute } from "@/lib/format/times";

interface FailureBarsProps {
  series: ProblemSeries;
  /** "24 hours": completes "… failures in the last …". */
  period: string;
  className?: string;
}

/** Failures by minute or hour; each bar says its time and its number. */
export function FailureBars({ series: { from, minutes, counts }, period, className }: FailureBarsProps) {
  const times = useTimes();
  const all = counts.reduce((sum, count) => sum + count, 0);
  const first = Date.parse(from);
  const bars = counts.map((count, index) => {
    const at = first + index * minutes * 60_000;
    return {
      at,
      label: `${formatWeekdayMinute(at, times)}: ${plural(count, "failure")}`,
      parts: [{ value: count, tone: "red" as const }],
    };
  });
  return (
    <Bars
      bars={bars}
      label={`${plural(all, "failure")} in the last ${period}, at most ${formatCount(Math.max(0, ...counts))} in ${minutes === 1 ? "a minute" : "an hour"}`}
      {...(className !== undefined && { className })}
    />
  );
}
