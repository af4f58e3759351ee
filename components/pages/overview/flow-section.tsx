"use client";

import { useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { DatabaseTrouble } from "@/components/domain/database/database-card";
import { DeployList } from "@/components/domain/deploys/deploy-list";
import { CountedNote } from "@/components/domain/flow/counted-note";
import { FlowCharts } from "@/components/domain/flow/flow-charts";
import { FlowSkeleton } from "@/components/domain/flow/flow-skeleton";
import { FlowToolbar } from "@/components/domain/flow/flow-toolbar";
import { overviewUrl, REFRESHES } from "@/components/domain/flow/flow-url";
import { QueryFailure } from "@/components/parts/page/query-failure";
import type { Flow } from "@/lib/api/contract/flow";
import { flowQuery } from "@/lib/api/hooks/queries";
import { SchedulesCard } from "./schedules-card";
import { WorkflowTable } from "./workflow-table";

/** How everything flows: the window, the workflow and the pace are in the address. */
export function FlowSection() {
  const [url, setUrl] = useQueryStates(overviewUrl, { history: "replace" });
  const refreshMs = REFRESHES[url.refresh].ms;
  const { data, error, refetch } = useQuery(flowQuery(url.window, url.workflow, refreshMs));
  return (
    <section aria-label="Flow" className="grid gap-3.5 lg:col-span-2">
      <FlowToolbar
        window={url.window}
        refresh={url.refresh}
        onWindow={(window) => void setUrl({ window })}
        onRefresh={(refresh) => void setUrl({ refresh })}
        workflow={{
          chosen: url.workflow,
          onChoose: (name) => void setUrl({ workflow: name === null ? null : [name] }),
        }}
      />
      {data && <Loaded flow={data} workflow={url.workflow} refreshMs={refreshMs} />}
      {!data && error && <QueryFailure what="the charts" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <FlowSkeleton />}
    </section>
  );
}

function Loaded({ flow, workflow, refreshMs }: { flow: Flow; workflow: string[]; refreshMs: number | false }) {
  return (
    <>
      <div className="grid gap-3.5 md:grid-cols-2">
        <FlowCharts flow={flow} workflow={workflow} />
      </div>
      <DeployList deploys={flow.deploys} />
      <CountedNote flow={flow} />
      <div className="grid items-start gap-3.5 lg:grid-cols-[minmax(0,2fr)_minmax(280px,1fr)]">
        <WorkflowTable flow={flow} />
        <div className="grid gap-3.5 lg:col-start-2">
          <DatabaseTrouble refreshMs={refreshMs} />
          <SchedulesCard />
        </div>
      </div>
    </>
  );
}
