"use client";

import { useState } from "react";
import { FailureBars } from "@/components/domain/problems/failure-bars";
import { Instant } from "@/components/parts/time/instant";
import { Segmented } from "@/components/ui/form/segmented";
import { Card } from "@/components/ui/layout/card";
import type { ProblemDetail } from "@/lib/api/contract/problems";
import { plural } from "@/lib/format";

const PERIODS = [
  { value: "hour", text: "Hour", words: "hour" },
  { value: "day", text: "Day", words: "24 hours" },
  { value: "week", text: "Week", words: "7 days" },
] as const;

/** When it failed: by minute for the last hour, or by hour. */
export function FailureChart({ problem: { charts, lastAt } }: { problem: ProblemDetail }) {
  const [period, setPeriod] = useState<(typeof PERIODS)[number]["value"]>("day");
  const series = charts[period];
  const all = series.counts.reduce((sum, count) => sum + count, 0);
  const words = PERIODS.find(({ value }) => value === period)?.words ?? period;
  return (
    <Card
      title="Failures"
      note={<span className="max-md:hidden">{`${plural(all, "failure")} in the last ${words}`}</span>}
      action={<Segmented label="Period" value={period} onChange={setPeriod} options={[...PERIODS]} />}
    >
      <div className="px-4 pt-3 pb-4">
        <FailureBars series={series} period={words} className="h-24 w-full" />
        <p className="mt-1.5 flex justify-between text-ink-3 text-small">
          <Instant at={series.from} />
          <span>
            last <Instant at={lastAt} as="relative" />
          </span>
        </p>
      </div>
    </Card>
  );
}
