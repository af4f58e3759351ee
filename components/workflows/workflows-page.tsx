"use client";

import { Workflow as WorkflowIcon } from "lucide-react";
import { useState } from "react";
import type { WorkflowView } from "@/lib/api/contract/responses";
import { useWorkflows } from "@/lib/api/hooks/read-hooks";
import { QueryFailure } from "../shell/query-failure";
import { TopBar } from "../shell/top-bar";
import { Card } from "../ui/card";
import { EmptyState } from "../ui/empty-state";
import { Loading, Skeleton } from "../ui/skeleton";
import { IntakeDialog } from "./intake-dialog";
import { LimitsDialog } from "./limits-dialog";
import { type Versions, versionsOf, WorkflowItem } from "./workflow-item";

/** What the workers can do, how much of it waits, and the limits that bind it. */
export function WorkflowsPage() {
  const { data, error, refetch } = useWorkflows();
  return (
    <>
      <TopBar title="Workflows" />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls and may hold nothing to focus is scrolled by its keys */}
      <div tabIndex={0} data-ring="inside" className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto grid max-w-[1240px] gap-3.5 p-4 md:px-6 md:py-5">
          {data && <Loaded workflows={data.workflows} />}
          {!data && error && <QueryFailure what="the workflows" error={error} onRetry={() => void refetch()} />}
          {!data && !error && <WorkflowsSkeleton />}
        </div>
      </div>
    </>
  );
}

function Loaded({ workflows }: { workflows: WorkflowView[] }) {
  const [changing, setChanging] = useState<WorkflowView | null>(null);
  const [intake, setIntake] = useState<WorkflowView | null>(null);
  const all: Versions[] = versionsOf(workflows);
  if (all.length === 0)
    return (
      <EmptyState icon={<WorkflowIcon aria-hidden />} title="No workflow is known yet">
        Workers tell which workflows they have. Start one: <code className="font-mono text-small">npm run worker</code>.
      </EmptyState>
    );
  return (
    <>
      <Card title="Workflows" note={all.length}>
        <ul className="@container">
          {all.map((versions) => (
            <WorkflowItem
              key={versions.newest.name}
              versions={versions}
              onChangeLimits={setChanging}
              onChangeIntake={setIntake}
            />
          ))}
        </ul>
      </Card>
      {changing && <LimitsDialog workflow={changing} onClose={() => setChanging(null)} />}
      {intake && <IntakeDialog workflow={intake} onClose={() => setIntake(null)} />}
    </>
  );
}

function WorkflowsSkeleton() {
  return (
    <Loading what="the workflows" className="grid gap-4 rounded-[10px] border border-line bg-panel p-4">
      <Skeleton className="h-4 w-24" />
      <Skeleton className="h-10 w-full" />
      <Skeleton className="h-10 w-full" />
    </Loading>
  );
}
