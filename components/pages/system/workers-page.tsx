"use client";

import { useQuery } from "@tanstack/react-query";
import { Cpu } from "lucide-react";
import { BoardPage } from "@/components/parts/page/board-page";
import { Callout } from "@/components/ui/feedback/callout";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import { Card } from "@/components/ui/layout/card";
import type { WorkerListResponse, WorkerView } from "@/lib/api/contract/responses";
import { workersQuery } from "@/lib/api/hooks/queries";
import { WorkerItem } from "./worker-item";

const ORDER = { live: 0, stopping: 1, lost: 2, stopped: 3 } as const satisfies Record<WorkerView["status"], number>;

/** The live workers, and those that fell silent. */
export function WorkersPage() {
  return (
    <BoardPage title="Workers" query={useQuery(workersQuery())}>
      {({ workers }) => <Loaded workers={workers} />}
    </BoardPage>
  );
}

function Loaded({ workers }: Pick<WorkerListResponse, "workers">) {
  if (workers.length === 0)
    return (
      <EmptyState icon={<Cpu aria-hidden />} title="No worker has registered yet">
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
            Runs wait until one is started (<code className="font-mono text-small">npm run worker</code>) or, on
            serverless, until the next scheduled drive. Nothing is lost.
          </p>
        </Callout>
      ) : (
        <WorkerGroup title="Active" workers={live} />
      )}
      {others.length > 0 && <WorkerGroup title="Inactive" workers={others} />}
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
