"use client";

import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { lookOfRun } from "@/components/domain/run/run-looks";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { useTabTitle } from "@/components/parts/page/tab-state";
import { TopBar } from "@/components/parts/page/top-bar";
import { useRemember } from "@/components/parts/palette/recent";
import { CopyButton } from "@/components/ui/copy-button";
import { later } from "@/components/ui/later";
import { ApiError } from "@/lib/api/client/client";
import type { Run } from "@/lib/api/contract/run";
import { runQuery } from "@/lib/api/hooks/queries";
import { classNames } from "@/lib/class-names";
import { titleOfRun } from "@/lib/engine/runs/run-name";
import { shortenMiddle } from "@/lib/format";
import { nameOfRun } from "@/lib/format/run-name";
import { useUnmasked } from "./masking/use-unmasked";
import { RunHeader } from "./run-header";
import { RunSkeleton } from "./run-skeleton";
import { RunTabs } from "./tabs/run-tabs";

const UnknownRun = later(() => import("./unknown-run").then((part) => part.UnknownRun));
// Few workflows mask anything.
const MaskedValues = later(() => import("./masking/masked-values").then((part) => part.MaskedValues));

/** One run whole. */
export function RunPage({ runId }: { runId: string }) {
  const query = useQuery(runQuery(runId));
  return (
    <>
      <TopBar crumb={<Crumb runId={runId} name={query.data ? titleOfRun(query.data) : null} />} />
      <RunBody runId={runId} query={query} />
    </>
  );
}

function RunBody({ runId, query }: { runId: string; query: UseQueryResult<Run> }) {
  // What was shown of one that is deleted, or that this person may see no more, goes as well.
  if (query.data && !isGone(query.error)) return <LoadedRun run={query.data} />;
  return (
    <>
      <h1 className="sr-only">Run {runId}</h1>
      {query.error ? <Failure runId={runId} query={query} /> : <RunSkeleton />}
    </>
  );
}

const isGone = (error: unknown) =>
  error instanceof ApiError && (error.code === "unknown_run" || error.code === "forbidden");

function Failure({ runId, query: { error, refetch } }: { runId: string; query: UseQueryResult<Run> }) {
  // An id that no run can have is answered as an invalid request.
  const unknown = error instanceof ApiError && (error.code === "unknown_run" || error.code === "invalid_request");
  if (unknown) return <UnknownRun runId={runId} />;
  return <QueryFailure what="the run" error={error} onRetry={() => void refetch()} />;
}

/**
 * On a phone everything scrolls as one; on wide screens the head stays, and timeline and inspector scroll side by side.
 */
function LoadedRun({ run }: { run: Run }) {
  useRemember(`/runs/${run.id}`, `${nameOfRun(run.id, run)} · ${run.title}`);
  useTabTitle(`${lookOfRun(run).word} · ${nameOfRun(run.id, run)}`);
  const [page, setPage] = useState<HTMLDivElement | null>(null);
  const { unmasked, isMasked, show, hide } = useUnmasked(run);
  return (
    <div ref={setPage} className="flex min-h-0 flex-1 flex-col max-xl:overflow-y-auto">
      <RunHeader run={run} />
      {(isMasked || unmasked) && <MaskedValues run={run} unmasked={unmasked} onShow={show} onHide={hide} />}
      <RunTabs run={unmasked?.run ?? run} page={page} />
    </div>
  );
}

/** By the name that people know it by, if it has one; its id can be copied. */
function Crumb({ runId, name }: { runId: string; name: string | null }) {
  return (
    <nav aria-label="Breadcrumb" className="flex min-w-0 items-center gap-1 text-ink-3">
      <Link href="/runs" className="flex items-center rounded hover:text-ink max-md:min-h-11">
        Runs
      </Link>
      <ChevronRight aria-hidden className="size-3.5 shrink-0" />
      {name !== null && <span className="truncate font-medium text-ink">{name}</span>}
      <span
        title={runId}
        className={classNames(
          "truncate font-mono text-small",
          name === null ? "font-medium text-ink" : "max-md:hidden", // on a phone the bar has room for one name
        )}
      >
        {shortenMiddle(runId)}
      </span>
      <CopyButton text={runId} what="the run's id" />
    </nav>
  );
}
