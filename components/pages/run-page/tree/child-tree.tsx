"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import Link from "next/link";
import { useId, useState } from "react";
import { lookOfRun } from "@/components/domain/run/run-looks";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Elapsed } from "@/components/parts/time/elapsed";
import { Button } from "@/components/ui/button";
import { Loading, Skeleton } from "@/components/ui/feedback/skeleton";
import type { ChildRun } from "@/lib/api/contract/family";
import type { Run, RunTally } from "@/lib/api/contract/run";
import type { RootCause } from "@/lib/api/contract/run-relatives";
import { childrenQuery } from "@/lib/api/hooks/queries";
import { classNames } from "@/lib/class-names";
import type { RunStatus } from "@/lib/engine/runs/run";
import { formatCount, plural } from "@/lib/format";
import { nameOfRun } from "@/lib/format/run-name";

/** Deeper levels are no longer moved in: a phone has no room for it. */
const MOST_INDENTS = 6;

interface ChildTreeProps {
  run: Run;
  /** Of the first level. */
  status: RunStatus | undefined;
}

/** Each level is read when it is opened, a page at a time. The path to the root cause is open. */
export function ChildTree({ run, status }: ChildTreeProps) {
  const query = useChildren(run.id, status ? [status] : []);
  const below = query.data?.descendants;
  return (
    <div>
      {below && below.total > run.children.total && (
        <p className="mb-2 text-ink-3">{`On all levels: ${tallyWords(below)}`}</p>
      )}
      <div className="overflow-hidden rounded-lg border border-line-strong">
        <Level query={query} label="Children" depth={0} cause={run.rootCause} />
      </div>
    </div>
  );
}

const useChildren = (runId: string, status: RunStatus[]) => useInfiniteQuery(childrenQuery(runId, status));

interface LevelProps {
  query: ReturnType<typeof useChildren>;
  label: string;
  depth: number;
  cause: RootCause | null;
}

function Level({ query, label, depth, cause }: LevelProps) {
  if (!query.data && query.error)
    return <QueryFailure what="the children" error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data)
    return (
      <Loading what="the children" className="grid gap-3 p-3">
        <Skeleton className="h-6" />
        <Skeleton className="h-6" />
      </Loading>
    );
  return (
    <>
      <ul aria-label={label}>
        {query.data.runs.map((child) => (
          <Branch key={child.id} run={child} depth={depth} cause={cause} />
        ))}
      </ul>
      {query.hasNextPage && (
        <div className="border-line border-t p-2">
          <Button size="small" onClick={() => void query.fetchNextPage()} disabled={query.isFetchingNextPage}>
            More
          </Button>
        </div>
      )}
    </>
  );
}

interface BranchProps {
  run: ChildRun;
  depth: number;
  cause: RootCause | null;
}

function Branch({ run, depth, cause }: BranchProps) {
  const leadsThere = cause?.runId !== run.id && (cause?.way.some(({ runId }) => runId === run.id) ?? false);
  const [open, setOpen] = useState(leadsThere);
  const levelId = useId();
  const has = run.descendants.total > 0;
  const name = run.parentStep ?? nameOfRun(run.id, run);
  return (
    <li className="border-line border-t first:border-t-0">
      <div className="flex items-start">
        {has ? (
          <Button
            variant="ghost"
            size="square"
            className="mt-1 ml-1"
            aria-expanded={open}
            aria-controls={open ? levelId : undefined}
            aria-label={`Started by ${name}`}
            onClick={() => setOpen(!open)}
          >
            <ChevronRight aria-hidden className={classNames("size-4 transition-transform", open && "rotate-90")} />
          </Button>
        ) : (
          <span className="ml-1 w-2 shrink-0 md:w-7" />
        )}
        <Node run={run} name={name} isCause={cause?.runId === run.id} />
      </div>
      {has && open && (
        <div id={levelId} className={classNames("border-line border-t", depth < MOST_INDENTS && "pl-3 md:pl-6")}>
          <LazyLevel runId={run.id} label={`Children of ${name}`} depth={depth + 1} cause={cause} />
        </div>
      )}
    </li>
  );
}

function LazyLevel({ runId, ...level }: Omit<LevelProps, "query"> & { runId: string }) {
  return <Level {...level} query={useChildren(runId, [])} />;
}

function Node({ run, name, isCause }: { run: ChildRun; name: string; isCause: boolean }) {
  return (
    <Link
      href={`/runs/${run.id}`}
      prefetch={false}
      data-ring="inside"
      className="grid min-w-0 flex-1 gap-x-4 gap-y-0.5 py-2.5 pr-3 pl-1 hover:bg-gray-soft lg:grid-cols-[150px_minmax(0,15rem)_minmax(0,1fr)_auto] lg:items-start"
    >
      <StatusLabel look={lookOfRun(run)} />
      <span className="min-w-0 truncate font-mono text-small leading-5" title={name}>
        {name}
      </span>
      <span className="min-w-0">
        <span className="block truncate text-ink-2" title={run.summary}>
          {run.summary}
        </span>
        {run.descendants.total > 0 && (
          <span className="block text-ink-3 text-small">{`Below: ${tallyWords(run.descendants)}`}</span>
        )}
        {isCause && <span className="block font-medium text-red text-small">The root cause</span>}
      </span>
      <span className="text-ink-3 text-small leading-5 max-lg:hidden">
        {run.startedAt && <Elapsed from={run.startedAt} to={run.finishedAt} />}
      </span>
    </Link>
  );
}

/** Worst first; ended runs that need no attention are one count. */
const GROUPS: { word: string; statuses: RunStatus[] }[] = [
  { word: "failed", statuses: ["failed"] },
  { word: "paused", statuses: ["paused"] },
  { word: "compensating", statuses: ["compensating"] },
  { word: "waiting", statuses: ["waiting"] },
  { word: "running", statuses: ["running"] },
  { word: "pending", statuses: ["pending"] },
  { word: "done", statuses: ["completed", "cancelled", "compensated"] },
];

/** `4 runs: 1 failed, 3 done`; if counting stopped, `the first 500 runs: …`. */
export function tallyWords({ byStatus, total, capped }: RunTally): string {
  const parts = GROUPS.flatMap(({ word, statuses }) => {
    const count = statuses.reduce((sum, status) => sum + byStatus[status], 0);
    return count > 0 ? [`${formatCount(count)} ${word}`] : [];
  });
  return `${capped ? "more than " : ""}${plural(total, "run")}: ${capped ? "of those " : ""}${parts.join(", ")}`;
}
