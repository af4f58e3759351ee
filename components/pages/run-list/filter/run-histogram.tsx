"use client";

import { useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { memo, useState } from "react";
import { Bars } from "@/components/parts/charts/bars";
import { Brush } from "@/components/parts/charts/brush";
import { Instant } from "@/components/parts/time/instant";
import { useFromNow } from "@/components/parts/time/use-now";
import { useTimes } from "@/components/parts/time/viewer-formats";
import { Skeleton } from "@/components/ui/feedback/skeleton";
import { Segmented } from "@/components/ui/form/segmented";
import { PHONE, useMediaQuery } from "@/components/ui/hooks/use-media-query";
import { useStored } from "@/components/ui/hooks/use-stored";
import { Disclosure } from "@/components/ui/layout/disclosure";
import type { RunHistogram as Histogram } from "@/lib/api/contract/responses";
import { runHistogramQuery } from "@/lib/api/hooks/queries";
import { classNames } from "@/lib/class-names";
import { atLeast } from "@/lib/format";
import type { RunUrl } from "../address/use-run-url";
import { barsOf, histogramWords, momentIn, timesOf } from "./histogram-words";

const WINDOWS = [
  { value: "", text: "Any time" },
  ...["1h", "6h", "24h", "7d", "30d"].map((value) => ({ value, text: value })),
];

/**
 * When the runs of the list were started, and which of them failed. On a wide screen it is open until the user closes
 * it.
 */
export function RunHistogram({ url, setUrl, filter }: Pick<RunUrl, "url" | "setUrl" | "filter">) {
  const [stored, store] = useStored("handrail.runs.over-time");
  const phone = useMediaQuery(PHONE);
  const isOpen = stored === undefined ? false : stored === null ? !phone : stored === "open";
  const { data, error } = useQuery({ ...runHistogramQuery(filter), enabled: isOpen });
  return (
    <section aria-label="Over time" className="border-line border-t px-4 md:px-6">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1 short:py-0">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => store(isOpen ? "closed" : "open")}
          className="flex h-11 short:h-7 items-center gap-1 text-ink-3 text-small hover:text-ink md:h-7"
        >
          <ChevronRight aria-hidden className={classNames("size-3.5 transition-transform", isOpen && "rotate-90")} />
          Over time
        </button>
        {isOpen && (
          <>
            <p className="text-ink-3 text-small max-md:hidden">
              {data ? histogramWords(data) : ""}
              {!url.since && data && " · last 24 hours of all matches"}
            </p>
            <div className="md:ml-auto">
              <Segmented
                label="Started within"
                value={url.until ? "none" : (url.since ?? "")}
                options={WINDOWS}
                onChange={(since) => setUrl({ since: since || null, until: null })}
              />
            </div>
          </>
        )}
      </div>
      {/* Reserves the space until it is known whether the user has closed it, so that the list does not jump. */}
      {stored === undefined && <Skeleton className="mb-2 h-[90px] max-md:hidden" />}
      {isOpen && (
        <div className="min-h-[90px] pb-2">
          {data ? (
            <Chart histogram={data} onChoose={setUrl} />
          ) : error ? (
            <p className="h-[66px] text-ink-3 text-small">Could not be counted: {error.message}</p>
          ) : (
            <Skeleton className="h-[82px]" />
          )}
        </div>
      )}
    </section>
  );
}

interface ChartProps {
  histogram: Histogram;
  onChoose: (window: { since: string; until: string }) => unknown;
}

/** In each of them, it is one day in every zone. */
const QUARTER_MS = 900_000;

const Chart = memo(function Chart({ histogram, onChoose }: ChartProps) {
  // Which times are of today is all that follows from it.
  const quarter = useFromNow((now) => now && Math.floor(now / QUARTER_MS));
  const momentOf = momentIn(quarter && quarter * QUARTER_MS, useTimes());
  const [tabled, setTabled] = useState(false);
  const [pointed, setPointed] = useState<number | null>(null);
  const { buckets } = histogram;
  const bars = barsOf(histogram, momentOf);
  const bar = pointed === null ? undefined : bars[pointed];
  if (buckets.length === 0) return <p className="h-[66px] text-ink-3 text-small">The range ends before it starts.</p>;
  return (
    <>
      <div className="relative">
        <Bars bars={bars} label={histogramWords(histogram)} className="h-12 w-full" />
        <Brush
          count={buckets.length}
          beginsAt={(index) => momentOf(timesOf(histogram, index, index).since)}
          endsAt={(index) => momentOf(timesOf(histogram, index, index).until)}
          onChoose={([first, last]) => onChoose(timesOf(histogram, first, last))}
          onPoint={setPointed}
        />
      </div>
      <p className="flex justify-between gap-3 text-ink-3 text-small">
        <Instant at={histogram.from} />
        {bar && (
          <span aria-hidden className="truncate text-ink-2">
            {bar.label}
          </span>
        )}
        <Instant at={histogram.until} />
      </p>
      <Disclosure summary="As a table" onToggle={setTabled} className="max-h-64 overflow-y-auto max-md:hidden">
        {tabled && <BarTable histogram={histogram} momentOf={momentOf} />}
      </Disclosure>
    </>
  );
});

function BarTable({ histogram, momentOf }: { histogram: Histogram; momentOf: (at: string) => string }) {
  return (
    <table className="w-full max-w-sm text-left text-small tabular-nums">
      <caption className="sr-only">Runs started over time</caption>
      <thead className="text-ink-3">
        <tr>
          <th scope="col">From</th>
          <th scope="col">Started</th>
          <th scope="col">Failed</th>
        </tr>
      </thead>
      <tbody>
        {histogram.buckets.map(({ at, started, failed, startedMore, failedMore }) => (
          <tr key={at}>
            <th scope="row" className="font-normal">
              {momentOf(at)}
            </th>
            <td>{atLeast(started, startedMore)}</td>
            <td>{atLeast(failed, failedMore)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
