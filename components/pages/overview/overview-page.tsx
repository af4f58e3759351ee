"use client";

import { useQuery } from "@tanstack/react-query";
import { ListTree, TriangleAlert } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { PermittedButton } from "@/components/domain/access/permitted-button";
import { ListActWindow } from "@/components/domain/actions/list-act-window";
import { FlowSkeleton } from "@/components/domain/flow/flow-skeleton";
import { StartRunDialog } from "@/components/domain/start/start-run-dialog-later";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { TopBar } from "@/components/parts/page/top-bar";
import { Callout } from "@/components/ui/feedback/callout";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import { Card } from "@/components/ui/layout/card";
import type { OverviewResponse } from "@/lib/api/contract/responses";
import { overviewQuery } from "@/lib/api/hooks/queries";
import { ClosedIntakes } from "./closed-intakes";
import { Guide } from "./guide/guide";
import { NeedsAttention } from "./needs-attention";
import { NowCard } from "./now-card";
import { OverviewSkeleton } from "./overview-skeleton";
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
      <TopBar title="Overview" />
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
      {anyRun ? <NeedsAttention overview={overview} /> : <NoRuns />}
      <NowCard overview={overview} />
      <div className="lg:col-span-2">
        <StatusTiles byStatus={overview.byStatus} />
        {overview.capped && (
          <p className="mt-2 flex items-center gap-1.5 text-ink-3 text-small">
            <TriangleAlert aria-hidden className="size-3.5" />
            Counting stops at 10,000.
          </p>
        )}
      </div>
      {anyRun && <FlowSection />}
    </div>
  );
}

function NoRuns() {
  const [starting, setStarting] = useState(false);
  return (
    <Card>
      <EmptyState
        icon={<ListTree aria-hidden />}
        title="No run has been started yet"
        action={
          <PermittedButton action="run.start" variant="primary" onClick={() => setStarting(true)}>
            Start a run…
          </PermittedButton>
        }
      >
        Start one here, or with <span className="font-mono text-small">POST /api/v1/runs</span> from your code.
      </EmptyState>
      {starting && <StartRunDialog onClose={() => setStarting(false)} />}
    </Card>
  );
}
