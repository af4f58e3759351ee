"use client";

import { useQuery } from "@tanstack/react-query";
import { ChevronRight, GitCompareArrows } from "lucide-react";
import Link from "next/link";
import { useQueryStates } from "nuqs";
import type { ReactNode } from "react";
import { lookOfRun } from "@/components/domain/run/run-looks";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { TopBar } from "@/components/parts/page/top-bar";
import { useTimes } from "@/components/parts/time/viewer-formats";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import { Loading, Skeleton } from "@/components/ui/feedback/skeleton";
import { NativeSelect } from "@/components/ui/form/native-select";
import type { Run } from "@/lib/api/contract/run";
import { wholeRunQuery } from "@/lib/api/hooks/queries";
import { shortenMiddle } from "@/lib/format";
import { nameOfRun } from "@/lib/format/run-name";
import { formatInstant } from "@/lib/format/times";
import { compareUrl } from "./compare-url";
import { Comparison } from "./comparison";
import { type Candidates, useCandidates } from "./use-candidates";

/** Compares a run with another one of its workflow: where they diverge, and how else they differ. */
export function ComparePage({ runId }: { runId: string }) {
  const query = useQuery(wholeRunQuery(runId));
  return (
    <>
      <TopBar crumb={<Crumb runId={runId} name={nameOfRun(runId, query.data)} />} />
      <div className="min-h-0 flex-1 overflow-y-auto">
        {query.data ? (
          <Chosen run={query.data} />
        ) : query.error ? (
          <QueryFailure what="the run" error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <CompareSkeleton />
        )}
      </div>
    </>
  );
}

function Chosen({ run }: { run: Run }) {
  const [url, setUrl] = useQueryStates(compareUrl, { history: "push" });
  const candidates = useCandidates(run);
  const chosen = url.with ?? candidates.best;
  return (
    <div className="grid max-w-[1280px] gap-5 px-4 py-4 md:px-6">
      {chosen ? (
        <With
          run={run}
          otherId={chosen}
          choice={<OtherRun candidates={candidates} chosen={chosen} onChoose={(id) => void setUrl({ with: id })} />}
        />
      ) : candidates.isReady ? (
        <EmptyState icon={<GitCompareArrows aria-hidden />} title="No other run of this workflow yet">
          The next run will be compared here. Name any run in the address: <code>?with=</code> and its id.
        </EmptyState>
      ) : (
        <CompareSkeleton />
      )}
    </div>
  );
}

function With({ run, otherId, choice }: { run: Run; otherId: string; choice: ReactNode }) {
  const other = useQuery(wholeRunQuery(otherId));
  if (other.data) return <Comparison key={otherId} here={run} there={other.data} choice={choice} />;
  if (!other.error) return <CompareSkeleton />;
  return (
    <>
      {choice}
      <QueryFailure what="the other run" error={other.error} onRetry={() => void other.refetch()} />
    </>
  );
}

export function CompareSkeleton() {
  return (
    <Loading what="the comparison" className="grid gap-4 px-4 py-4 md:px-6">
      <Skeleton className="h-6 w-[min(560px,90%)]" />
      <Skeleton className="h-24" />
      <Skeleton className="h-40" />
    </Loading>
  );
}

function Crumb({ runId, name }: { runId: string; name: string }) {
  return (
    <nav aria-label="Breadcrumb" className="flex min-w-0 items-center gap-1 text-ink-3">
      <Link href="/runs" className="rounded hover:text-ink max-md:hidden">
        Runs
      </Link>
      <ChevronRight aria-hidden className="size-3.5 shrink-0 max-md:hidden" />
      <Link href={`/runs/${runId}`} title={runId} className="truncate rounded hover:text-ink max-md:leading-11">
        {name}
      </Link>
      <ChevronRight aria-hidden className="size-3.5 shrink-0" />
      <span className="font-medium text-ink">Compare</span>
    </nav>
  );
}

interface OtherRunProps {
  candidates: Candidates;
  chosen: string;
  onChoose: (runId: string) => void;
}

/** Selects the run to compare with: a recent one of the workflow, or the one in the URL. */
function OtherRun({ candidates, chosen, onChoose }: OtherRunProps) {
  const times = useTimes();
  const named = candidates.recent.some(({ id }) => id === chosen);
  const options = candidates.recent.map((run) => ({
    value: run.id,
    text: [lookOfRun(run).word, nameOfRun(run.id, run), formatInstant(run.createdAt, times)].join(" · "),
  }));
  return (
    <NativeSelect
      label="Compared with"
      className="w-full max-w-[420px] font-normal"
      value={chosen}
      onChange={(event) => onChoose(event.target.value)}
      options={named ? options : [{ value: chosen, text: `Run ${shortenMiddle(chosen)}` }, ...options]}
    />
  );
}
