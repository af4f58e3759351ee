"use client";

import { Cpu } from "lucide-react";
import type { WorkerListResponse, WorkerView } from "@/lib/api/contract/responses";
import { useWorkers } from "@/lib/api/hooks/read-hooks";
import { QueryFailure } from "../shell/query-failure";
import { TopBar } from "../shell/top-bar";
import { Callout } from "../ui/callout";
import { Card } from "../ui/card";
import { EmptyState } from "../ui/empty-state";
import { Loading, Skeleton } from "../ui/skeleton";
import { RetentionCard } from "./retention-card";
import { WorkerItem } from "./worker-item";

const ORDER = { live: 0, stopping: 1, lost: 2, stopped: 3 } as const satisfies Record<WorkerView["status"], number>;

/** Who does the work, and who fell silent. */
export function WorkersPage() {
  const { data, error, refetch } = useWorkers();
  return (
    <>
      <TopBar title="Workers" />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls and holds nothing to focus is scrolled by its keys */}
      <div tabIndex={0} data-ring="inside" className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto grid max-w-[1240px] gap-3.5 p-4 md:px-6 md:py-5">
          {data && <Loaded workers={data.workers} />}
          {data && <RetentionCard />}
          {!data && error && <QueryFailure what="the workers" error={error} onRetry={() => void refetch()} />}
          {!data && !error && <WorkersSkeleton />}
        </div>
      </div>
    </>
  );
}

function Loaded({ workers }: Pick<WorkerListResponse, "workers">) {
  if (workers.length === 0)
    return (
      <EmptyState icon={<Cpu aria-hidden />} title="No worker has ever checked in">
        Runs wait for one: <code className="font-mono text-small">npm run worker</code>.
      </EmptyState>
    );
  const sorted = [...workers].sort(
    (a, b) => ORDER[a.status] - ORDER[b.status] || b.startedAt.localeCompare(a.startedAt),
  );
  const live = sorted.filter(({ status }) => status === "live");
  const others = sorted.filter(({ status }) => status !== "live");
  return (
    <>
      {live.length === 0 ? (
        <Callout tone="amber" title="No worker is live">
          <p className="text-ink-2">
            Runs stand still until one is started: <code className="font-mono text-small">npm run worker</code>. Nothing
            is lost.
          </p>
        </Callout>
      ) : (
        <WorkerGroup title="At work" workers={live} />
      )}
      {others.length > 0 && <WorkerGroup title="No longer at work" workers={others} />}
    </>
  );
}

function WorkerGroup({ title, workers }: { title: string; workers: WorkerView[] }) {
  return (
    <Card title={title} note={workers.length}>
      <ul className="@container">
        {workers.map((worker) => (
          <WorkerItem key={worker.id} worker={worker} />
        ))}
      </ul>
    </Card>
  );
}

export function WorkersSkeleton() {
  return (
    <Loading what="the workers" className="grid gap-4 rounded-[10px] border border-line bg-panel p-4">
      <Skeleton className="h-4 w-24" />
      <Skeleton className="h-10 w-full" />
      <Skeleton className="h-10 w-full" />
    </Loading>
  );
}
