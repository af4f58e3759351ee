"use client";

import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useState } from "react";
import { ListActWindow } from "@/components/domain/actions/list-act-window";
import { FlowSkeleton } from "@/components/domain/flow/flow-skeleton";
import { FirstRun } from "@/components/domain/start/first-run-later";
import { StartRunDialog } from "@/components/domain/start/start-run-dialog-later";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { TopBar } from "@/components/parts/page/top-bar";
import { Instant } from "@/components/parts/time/instant";
import { Callout } from "@/components/ui/feedback/callout";
import { Loading, Skeleton } from "@/components/ui/feedback/skeleton";
import { Card } from "@/components/ui/layout/card";
import { COUNT_CAP } from "@/lib/api/contract/caps";
import type { OverviewResponse } from "@/lib/api/contract/responses";
import { overviewQuery } from "@/lib/api/hooks/queries";
import { formatCount } from "@/lib/format";
import { Guide } from "./guide/guide";
import { NeedsAttention } from "./needs-attention";
import { NowCard } from "./now-card";
import { StatusTiles } from "./status-tiles";

// Below the fold: the page is usable before the charts' code has loaded.
const FlowSection = dynamic(() => import("./flow-section").then((part) => part.FlowSection), {
  ssr: false,
  loading: () => <FlowSkeleton />,
});

/** What needs attention first, then the charts. */
export function OverviewPage() {
  const { data, error, refetch } = useQuery(overviewQuery());
  return (
    <>
      <TopBar title="Inbox" />
      <div className="min-h-0 flex-1 overflow-y-auto">
        {data && <Loaded overview={data} />}
        {!data && error && <QueryFailure what="the overview" error={error} onRetry={() => void refetch()} />}
        {!data && !error && <OverviewSkeleton />}
      </div>
      <ListActWindow />
    </>
  );
}

function Loaded({ overview }: { overview: OverviewResponse }) {
  const anyRun = Object.values(overview.byStatus).some((count) => count > 0);
  // Here, so that a run that comes from elsewhere takes no half-filled form away.
  const [starting, setStarting] = useState(false);
  return (
    <div className="mx-auto grid max-w-[1240px] gap-3.5 p-4 md:px-6 md:py-5 lg:grid-cols-[minmax(0,2fr)_minmax(280px,1fr)]">
      {overview.demo && (
        <div className="empty:hidden lg:col-span-2">
          <Guide overview={overview} />
        </div>
      )}
      {overview.workers.live === 0 && anyRun && (
        <Callout tone="amber" className="lg:col-span-2" title="No worker is live">
          <p className="text-ink-2">
            Runs wait until one is started (<code className="font-mono text-small">npm run worker</code>) or, on
            serverless, until the next scheduled drive. Nothing is lost.
          </p>
        </Callout>
      )}
      {overview.closedIntakes.length > 0 && (
        <div className="lg:col-span-2">
          <ClosedIntakes closed={overview.closedIntakes} />
        </div>
      )}
      {anyRun ? (
        <NeedsAttention overview={overview} />
      ) : (
        <Card>
          <FirstRun onStart={() => setStarting(true)} />
        </Card>
      )}
      <NowCard overview={overview} />
      <div className="lg:col-span-2">
        <StatusTiles overview={overview} />
        {overview.capped && (
          <p className="mt-2 flex items-center gap-1.5 text-ink-3 text-small">
            <TriangleAlert aria-hidden className="size-3.5" />
            Counting stops at 10,000.
          </p>
        )}
      </div>
      {anyRun && <FlowSection />}
      {starting && <StartRunDialog onClose={() => setStarting(false)} />}
    </div>
  );
}

function OverviewSkeleton() {
  return (
    <Loading
      what="the overview"
      className="mx-auto grid max-w-[1240px] gap-3.5 p-4 md:px-6 md:py-5 lg:grid-cols-[minmax(0,2fr)_minmax(280px,1fr)]"
    >
      <div className="grid h-60 content-start gap-5 rounded-[10px] border border-line bg-panel p-4">
        <Skeleton className="h-4 w-36" />
        <Skeleton className="h-8 w-full" />
        <Skeleton className="h-8 w-11/12" />
        <Skeleton className="h-8 w-full" />
      </div>
      <div className="grid h-60 content-start gap-4 rounded-[10px] border border-line bg-panel p-4">
        <Skeleton className="h-4 w-16" />
        {["w-40", "w-32", "w-44", "w-28", "w-36"].map((width) => (
          <Skeleton key={width} className={`h-3.5 ${width}`} />
        ))}
      </div>
      <Skeleton className="h-[86px] rounded-[10px] lg:col-span-2" />
    </Loading>
  );
}

/** Workflows whose new runs operators have paused, so that it is clear why nothing starts. */
function ClosedIntakes({ closed }: { closed: OverviewResponse["closedIntakes"] }) {
  return (
    <Callout
      tone="amber"
      title={
        closed.length === 1
          ? `New runs of ${closed[0]?.title} are paused`
          : `New runs of ${closed.length} workflows are paused`
      }
    >
      <ul className="grid gap-1 text-ink-2">
        {closed.map(({ workflow, title, holds, closedBy, reason, closedAt, waiting }) => (
          <li key={workflow} className="break-words">
            {closed.length > 1 && <b className="font-medium text-ink">{title}: </b>}
            {closedBy}, <Instant at={closedAt} as="relative" />: <q>{reason}</q>.{" "}
            {holds === "all" && "Runs under way are held too. "}
            <Link
              href={`/runs?status=pending&workflow=${encodeURIComponent(workflow)}`}
              className="text-accent underline"
            >
              {formatCount(waiting, COUNT_CAP)} {waiting === 1 ? "waits" : "wait"} to start
            </Link>
          </li>
        ))}
      </ul>
      <p className="mt-1.5">
        <Link href="/workflows" className="text-accent underline">
          Resume {closed.length === 1 ? "it" : "them"} on Workflows
        </Link>
      </p>
    </Callout>
  );
}
