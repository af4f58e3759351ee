"use client";

import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, Workflow as WorkflowIcon } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useQueryStates } from "nuqs";
import { DeployList } from "@/components/domain/deploys/deploy-list";
import { percentText } from "@/components/domain/flow/compare-words";
import { CountedNote } from "@/components/domain/flow/counted-note";
import { FlowCharts } from "@/components/domain/flow/flow-charts";
import { FlowSkeleton } from "@/components/domain/flow/flow-skeleton";
import { FlowToolbar } from "@/components/domain/flow/flow-toolbar";
import { flowUrl, REFRESHES } from "@/components/domain/flow/flow-url";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { TopBar } from "@/components/parts/page/top-bar";
import { useRemember } from "@/components/parts/palette/recent";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/feedback/callout";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import { useDialogUrl } from "@/components/ui/overlay/use-dialog-url";
import type { WorkflowFlow } from "@/lib/api/contract/flow";
import type { WorkflowView } from "@/lib/api/contract/responses";
import { workflowFlowQuery, workflowsQuery } from "@/lib/api/hooks/queries";
import { failureRatio } from "@/lib/engine/flow/flow";
import { FLOW_WINDOWS } from "@/lib/engine/flow/rollup";
import { formatCount, plural } from "@/lib/format";
import { StepTable } from "./step-table";
import { VersionChanges } from "./version-changes";
import { versionRuns } from "./version-runs";
import { VersionTable } from "./version-table";
import { WORKFLOW_WINDOWS, WorkflowActs, WorkflowActWindow } from "./workflow-acts";
import { ClosedIntake } from "./workflow-item";

// Below the fold: the charts do not wait for it.
const RetrySafety = dynamic(() => import("./retry-safety").then((part) => part.RetrySafety), { ssr: false });

/** One workflow: how it flows, which version and which step of it is slow or fails. */
export function WorkflowPage({ name }: { name: string }) {
  const [url, setUrl] = useQueryStates(flowUrl, { history: "replace" });
  const { data, error, refetch } = useQuery(workflowFlowQuery(name, url.window, REFRESHES[url.refresh].ms));
  useRemember(`/workflows/${encodeURIComponent(name)}`, name);
  const known = useQuery(workflowsQuery()).data?.workflows.filter((one) => one.name === name);
  const newest = known?.toSorted((a, b) => b.version - a.version)[0];
  const isUnknown = known?.length === 0 && data?.versions.length === 0;
  return (
    <>
      <TopBar
        crumb={
          <Link href="/workflows" className="flex items-center gap-1 text-ink-2 hover:text-ink max-md:min-h-11">
            <ChevronLeft aria-hidden className="size-4" />
            Workflows
          </Link>
        }
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls and may hold nothing to focus is scrolled by its keys */}
      <div tabIndex={0} data-ring="inside" className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto grid max-w-[1240px] gap-3.5 p-4 md:px-6 md:py-5">
          {isUnknown ? (
            <EmptyState icon={<WorkflowIcon aria-hidden />} title={`No workflow is named "${name}"`}>
              No worker has reported it, and none of its runs ended in this window.
            </EmptyState>
          ) : (
            <>
              <Standing name={name} workflow={newest} />
              <FlowToolbar
                window={url.window}
                refresh={url.refresh}
                onWindow={(window) => void setUrl({ window })}
                onRefresh={(refresh) => void setUrl({ refresh })}
              />
              {data && <Loaded flow={data} />}
              {!data && error && <QueryFailure what="the charts" error={error} onRetry={() => void refetch()} />}
              {!data && !error && <FlowSkeleton />}
              {data && newest && <RetrySafety workflow={name} version={newest.version} />}
            </>
          )}
        </div>
      </div>
    </>
  );
}

function Standing({ name, workflow }: { name: string; workflow: WorkflowView | undefined }) {
  const runs = `/runs?workflow=${encodeURIComponent(name)}`;
  const { open, show, close } = useDialogUrl(WORKFLOW_WINDOWS);
  return (
    <header className="grid gap-3">
      <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 max-lg:basis-full">
          <h1 className="break-words font-semibold text-headline tracking-tight">{workflow?.title ?? name}</h1>
          <p className="text-ink-3">
            <span className="font-mono text-small">{name}</span>
            {workflow && <Load workflow={workflow} />}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          <Button asChild>
            <Link href={`${runs}&status=failed`}>Failed runs</Link>
          </Button>
          <Button asChild>
            <Link href={runs}>All runs</Link>
          </Button>
          {workflow && <WorkflowActs workflow={workflow} size="normal" onOpen={show} />}
        </div>
      </div>
      {workflow?.intake && <ClosedIntake intake={workflow.intake} />}
      {open && workflow && <WorkflowActWindow key={open} name={open} workflow={workflow} onClose={close} />}
    </header>
  );
}

const Load = ({ workflow: { version, running, backlog, workers } }: { workflow: WorkflowView }) => (
  <>
    {` v${version} · `}
    {workers === 0 ? <span className="text-amber">no live worker</span> : plural(workers, "live worker")}
    {` · ${formatCount(running)} running · ${formatCount(backlog)} queued`}
  </>
);

function Loaded({ flow }: { flow: WorkflowFlow }) {
  return (
    <>
      <FailingSince flow={flow} />
      <div className="grid gap-3.5 md:grid-cols-2">
        <FlowCharts flow={flow} workflow={[flow.workflow]} />
      </div>
      <DeployList deploys={flow.deploys} />
      <CountedNote flow={flow} />
      <StepTable flow={flow} />
      <VersionTable flow={flow} />
      <VersionChanges workflow={flow.workflow} />
    </>
  );
}

/** The deploy that went wrong, and the way to its runs. */
export function FailingSince({ flow: { workflow, window, failingSince, versions } }: { flow: WorkflowFlow }) {
  if (failingSince === null) return null;
  const ratioOf = (version: number | undefined) => {
    const found = versions.find((one) => one.version === version);
    const ratio = found ? failureRatio(found.totals) : null;
    return ratio === null ? null : percentText(ratio);
  };
  const older = versions.find(({ version }) => version < failingSince)?.version;
  return (
    <Callout tone="red" title={`Failing since version ${failingSince}`}>
      <p className="text-ink-2">
        In the last {FLOW_WINDOWS[window].words} {ratioOf(failingSince)} of its runs failed
        {older !== undefined && `, of version ${older} ${ratioOf(older)}`}. Pause new runs, then rerun on a version that
        works.
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button asChild>
          <Link href={versionRuns(workflow, failingSince)}>Failed runs of version {failingSince}</Link>
        </Button>
        <Button asChild>
          <Link href="/workflows">Pause new runs…</Link>
        </Button>
      </div>
    </Callout>
  );
}
