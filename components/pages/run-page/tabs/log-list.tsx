"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { ScrollText, SearchX } from "lucide-react";
import Link from "next/link";
import { useQueryStates } from "nuqs";
import { useEffect, useRef } from "react";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { Instant } from "@/components/parts/time/instant";
import { JsonView } from "@/components/parts/values/json-view";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/feedback/callout";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import { Loading, Skeleton } from "@/components/ui/feedback/skeleton";
import { Checkbox } from "@/components/ui/form/checkbox";
import { SearchField } from "@/components/ui/form/search-field";
import { useDebounced } from "@/components/ui/hooks/use-debounced";
import { Disclosure } from "@/components/ui/layout/disclosure";
import type { LogLine } from "@/lib/api/contract/log";
import type { Run } from "@/lib/api/contract/run";
import { runLogQuery } from "@/lib/api/hooks/queries";
import { useAllPages } from "@/lib/api/hooks/use-all-pages";
import { attemptHref } from "../address/attempt-href";
import { runPageUrl } from "../address/run-url";

const LOG_URL = { find: runPageUrl.find, follow: runPageUrl.follow, line: runPageUrl.line };
/** One search per pause of the fingers. */
const SETTLE_MS = 250;

/** What the run's code said, in order: beside which step, in which attempt. */
export function LogList({ run }: { run: Run }) {
  const [{ find: text, follow, line }, setUrl] = useQueryStates(LOG_URL, { history: "replace" });
  const q = useDebounced(text.trim(), SETTLE_MS);
  const query = useLog(run.id, q);
  return (
    <div className="max-w-[1080px] px-4 py-3 md:px-6">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 print:hidden">
        <SearchField
          className="block min-w-0 flex-1 md:max-w-[420px]"
          label="Find in the log"
          placeholder="Find in message, data or step"
          value={text}
          onChange={(find) => void setUrl({ find, line: null })}
        />
        <Checkbox label="Follow" checked={follow} onChange={(next) => void setUrl({ follow: next })} />
      </div>
      <Lines query={query} q={q} run={run} wanted={line} />
      {follow && <End query={query} />}
      {line !== null && !query.data?.lines.some(({ id }) => id === line) && <Rest query={query} />}
    </div>
  );
}

const useLog = (runId: string, q: string) => useInfiniteQuery(runLogQuery(runId, q));
type LogQuery = ReturnType<typeof useLog>;

/** Loads page after page, as long as it is there. */
function Rest({ query }: { query: LogQuery }) {
  useAllPages(query);
  return null;
}

/** Loads to the last line, and scrolls with it. */
function End({ query }: { query: LogQuery }) {
  const end = useRef<HTMLDivElement>(null);
  const count = query.data?.lines.length ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a line more moves the end
  useEffect(() => end.current?.scrollIntoView({ block: "nearest" }), [count]);
  return (
    <>
      <Rest query={query} />
      <div ref={end} className="h-3" />
    </>
  );
}

interface LinesProps {
  query: LogQuery;
  q: string;
  run: Run;
  /** The id of the line that the address names. */
  wanted: string | null;
}

function Lines({ query, q, run, wanted }: LinesProps) {
  if (!query.data && query.error)
    return <QueryFailure what="the log" error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <LinesSkeleton />;
  const { lines, full } = query.data;
  if (lines.length === 0) return <NoLines q={q} />;
  return (
    <>
      <ol aria-label="Log" className="mt-2">
        {lines.map((line) => (
          <Line key={line.id} run={run} line={line} wanted={line.id === wanted} />
        ))}
      </ol>
      {query.hasNextPage && (
        <Button onClick={() => void query.fetchNextPage()} disabled={query.isFetchingNextPage} className="mt-3">
          More
        </Button>
      )}
      {full && (
        <Callout tone="amber" className="mt-3">
          The first 10,000 lines of this run are kept; later lines were dropped.
        </Callout>
      )}
    </>
  );
}

function Line({ run, line, wanted }: { run: Run; line: LogLine; wanted: boolean }) {
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (wanted) item.current?.scrollIntoView({ block: "center" });
  }, [wanted]);
  return (
    <li
      ref={item}
      aria-current={wanted || undefined}
      className="grid aria-[current]:bg-accent-soft gap-x-4 [contain-intrinsic-size:auto_33px] [content-visibility:auto] border-line border-t py-1.5 first:border-t-0 md:grid-cols-[88px_minmax(0,200px)_minmax(0,1fr)]"
    >
      <Instant at={line.at} as="clock" className="text-ink-3 text-small leading-5" />
      <span className="truncate text-ink-3 text-small leading-5" title={placeOf(line)}>
        {line.step === null ? "between steps" : <Place run={run} line={line} step={line.step} />}
      </span>
      <div className="min-w-0">
        <p className="whitespace-pre-wrap break-words font-mono text-small leading-5">{line.message}</p>
        {line.data !== null && (
          <Disclosure summary="Data">
            <JsonView value={line.data} what="the data of the line" className="mt-1 mb-1" />
          </Disclosure>
        )}
      </div>
    </li>
  );
}

/** Leads to the attempt that logged it; a compensation's attempts are not listed. */
function Place({ run, line: { during, attempt, at }, step }: { run: Run; line: LogLine; step: string }) {
  const isUndo = during === "undo";
  return (
    <>
      {isUndo && "compensation of "}
      <Link
        href={attemptHref(run, { step, attempt: isUndo ? null : attempt, at })}
        prefetch={false}
        className="text-ink-2 underline"
      >
        <span className="font-mono">{step}</span>
        {attempt !== null && attempt > 1 && ` attempt ${attempt}`}
      </Link>
    </>
  );
}

const placeOf = ({ during, step, attempt }: LogLine) =>
  step === null ? "Logged between steps" : `${during === "undo" ? "Compensation of " : ""}${step}, attempt ${attempt}`;

function NoLines({ q }: { q: string }) {
  if (q)
    return (
      <EmptyState icon={<SearchX aria-hidden />} title="No matching lines">
        Searches messages, their data and step names, case-insensitive.
      </EmptyState>
    );
  return (
    <EmptyState icon={<ScrollText aria-hidden />} title="No log lines">
      A workflow logs with <code className="font-mono text-small">ctx.log</code> between its steps, and with the{" "}
      <code className="font-mono text-small">log</code> that each step body receives.
    </EmptyState>
  );
}

function LinesSkeleton() {
  return (
    <Loading what="the log" className="mt-4 grid gap-3">
      <Skeleton className="h-4 w-80 max-w-full" />
      <Skeleton className="h-4 w-96 max-w-full" />
      <Skeleton className="h-4 w-64 max-w-full" />
    </Loading>
  );
}
