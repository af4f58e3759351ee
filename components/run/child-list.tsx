"use client";

import { Network } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import type { Run, RunListItem } from "@/lib/api/contract/run";
import { useChildren } from "@/lib/api/hooks/read-hooks";
import { RUN_STATUSES, type RunStatus } from "@/lib/engine/run";
import { formatCount, shortenMiddle } from "@/lib/format";
import { businessKeyOf } from "../runs/run-words";
import { QueryFailure } from "../shell/query-failure";
import { lookOfRun, RUN_LOOKS } from "../status/run-looks";
import { StatusLabel } from "../status/status-label";
import { Elapsed } from "../time/elapsed";
import { Button } from "../ui/button";
import { EmptyState } from "../ui/empty-state";
import { Loading, Skeleton } from "../ui/skeleton";

/** The runs that this one has started, newest first; by status, so that the ones that failed are found among many. */
export function ChildList({ run }: { run: Run }) {
  const [status, setStatus] = useState<RunStatus>();
  const query = useChildren(run.id, status ? [status] : []);
  if (run.children.total === 0)
    return (
      <EmptyState icon={<Network aria-hidden />} title="It has no children">
        Runs that this run starts stand here, each with its own page.
      </EmptyState>
    );
  return (
    <div className="px-4 py-3.5 md:px-6">
      <StatusFilter run={run} chosen={status} onChoose={setStatus} />
      <Children query={query} />
    </div>
  );
}

interface StatusFilterProps {
  run: Run;
  chosen: RunStatus | undefined;
  onChoose: (status: RunStatus | undefined) => void;
}

function StatusFilter({ run, chosen, onChoose }: StatusFilterProps) {
  const { byStatus, total, capped } = run.children;
  const shown = RUN_STATUSES.filter((status) => byStatus[status] > 0 || status === chosen);
  const chip = (status: RunStatus | undefined, text: string) => (
    <Button
      key={text}
      size="small"
      variant={chosen === status ? "primary" : "secondary"}
      aria-pressed={chosen === status}
      onClick={() => onChoose(chosen === status ? undefined : status)}
    >
      {text}
    </Button>
  );
  return (
    <fieldset className="mb-3 flex flex-wrap gap-1.5">
      <legend className="sr-only">Children by status</legend>
      {chip(undefined, `All ${formatCount(total)}${capped ? "+" : ""}`)}
      {shown.map((status) => chip(status, `${RUN_LOOKS[status].word} ${formatCount(byStatus[status])}`))}
    </fieldset>
  );
}

function Children({ query }: { query: ReturnType<typeof useChildren> }) {
  if (!query.data && query.error)
    return <QueryFailure what="the children" error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data)
    return (
      <Loading what="the children" className="grid gap-3">
        <Skeleton className="h-10" />
        <Skeleton className="h-10" />
      </Loading>
    );
  return (
    <>
      <ul aria-label="Children" className="overflow-hidden rounded-lg border border-line-strong">
        {query.data.runs.map((child) => (
          <li key={child.id} className="border-line border-b last:border-b-0">
            <Child run={child} />
          </li>
        ))}
      </ul>
      {query.hasNextPage && (
        <Button className="mt-3" onClick={() => void query.fetchNextPage()} disabled={query.isFetchingNextPage}>
          More
        </Button>
      )}
    </>
  );
}

function Child({ run }: { run: RunListItem }) {
  return (
    <Link
      href={`/runs/${run.id}`}
      prefetch={false}
      data-ring="inside"
      className="grid gap-x-4 gap-y-0.5 px-3 py-2.5 hover:bg-gray-soft md:grid-cols-[150px_minmax(0,15rem)_minmax(0,1fr)_auto] md:items-baseline"
    >
      <StatusLabel look={lookOfRun(run)} />
      <span className="min-w-0 truncate font-mono text-small" title={run.parentStep ?? run.id}>
        {run.parentStep ?? businessKeyOf(run) ?? shortenMiddle(run.id)}
      </span>
      <span className="min-w-0 truncate text-ink-2">{run.summary}</span>
      <span className="text-ink-3 text-small max-md:hidden">
        {run.startedAt && <Elapsed from={run.startedAt} to={run.finishedAt} />}
      </span>
    </Link>
  );
}
