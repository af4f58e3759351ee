"use client";

import { Bars } from "@/components/parts/charts/bars";
import type { ChartMark } from "@/components/parts/charts/chart-series";
import { useTimes } from "@/components/parts/time/viewer-formats";
import type { ProblemSeries } from "@/lib/api/contract/problems";
import { formatCount, plural } from "@/lib/format";
import { formatWeekdayMinute } from "@/lib/format/times";

interface FailureBarsProps {
  series: ProblemSeries;
  /** "24 hours": completes "… failures in the last …". */
  period: string;
  /** Within the period. */
  marks?: readonly ChartMark[];
  className?: string;
}

/** Failures by minute or hour; each bar says its time and its number. */
export function FailureBars({ series: { from, minutes, counts }, period, marks = [], className }: FailureBarsProps) {
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
  const width = counts.length * minutes * 60_000;
  return (
    <Bars
      bars={bars}
      marks={marks.map(({ atMs, words }) => ({
        place: (atMs - first) / width,
        label: `${formatWeekdayMinute(atMs, times)}: ${words}`,
      }))}
      label={`${plural(all, "failure")} in the last ${period}, at most ${formatCount(Math.max(0, ...counts))} in ${minutes === 1 ? "a minute" : "an hour"}`}
      {...(className !== undefined && { className })}
    />
  );
}
