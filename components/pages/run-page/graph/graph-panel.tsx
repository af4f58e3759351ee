"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useQueryState } from "nuqs";
import { useMemo } from "react";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import { Loading, Skeleton } from "@/components/ui/feedback/skeleton";
import { Segmented } from "@/components/ui/form/segmented";
import { PHONE, useMediaQuery } from "@/components/ui/hooks/use-media-query";
import type { Run, Step } from "@/lib/api/contract/run";
import { runNormalQuery } from "@/lib/api/hooks/beside-hooks";
import { wholeRunQuery } from "@/lib/api/hooks/queries";
import { runPageUrl } from "../address/run-url";
import { useDrawnRun } from "../lanes/use-drawn-run";
import { GraphList } from "./graph-list";
import { type GraphedStep, graphOf } from "./graph-model";
import { foremost } from "./node-words";

/** The drawing and its layout are loaded on demand. */
const GraphCanvas = dynamic(() => import("./graph-canvas"), {
  ssr: false,
  loading: () => <GraphSkeleton />,
});

/** The expected steps, from a run of the same code. */
interface Expected {
  runId: string;
  steps: readonly GraphedStep[];
}

interface GraphPanelProps {
  run: Run;
  selected: Step | null;
  onSelect: (step: GraphedStep) => void;
}

/** Steps that ran and expected ones, drawn or in words. */
export function GraphPanel(props: GraphPanelProps) {
  // A completed run has no expected steps.
  return props.run.status === "completed" ? <Drawn {...props} expected={null} /> : <WithExpected {...props} />;
}

/**
 * A workflow is code and declares no list of steps. The remaining steps are predicted from the last run of the same
 * version that completed without a repair. The graph is drawn once that run has loaded, so that
 * nothing moves.
 */
function WithExpected(props: GraphPanelProps) {
  const { data, isPending } = useQuery(runNormalQuery(props.run.id));
  if (isPending) return <GraphSkeleton />;
  const example = data?.goodRun;
  return example ? <Like {...props} exampleId={example.runId} /> : <Drawn {...props} expected={null} />;
}

function Like({ exampleId, ...props }: GraphPanelProps & { exampleId: string }) {
  const { data, isPending } = useQuery(wholeRunQuery(exampleId));
  if (isPending) return <GraphSkeleton />;
  return <Drawn {...props} expected={data ? { runId: exampleId, steps: data.steps } : null} />;
}

const GraphSkeleton = () => (
  <Loading what="the graph" className="grid flex-1 content-start justify-center gap-8 py-10">
    <Skeleton className="h-14 w-56" />
    <Skeleton className="h-14 w-56" />
    <Skeleton className="h-14 w-56" />
  </Loading>
);

function Drawn({ run, selected, onSelect, expected }: GraphPanelProps & { expected: Expected | null }) {
  const [chosen, setChosen] = useQueryState("graph", runPageUrl.graph);
  const narrow = useMediaQuery(PHONE);
  const view = chosen ?? (narrow ? "list" : "drawn");
  const { steps } = useDrawnRun(run).run;
  const graph = useMemo(() => graphOf(steps, expected?.steps), [steps, expected?.steps]);
  const shared = { graph, selected: selected?.name ?? null, onSelect: select };
  function select(node: Parameters<typeof foremost>[0]) {
    onSelect(foremost(node));
  }
  if (graph.nodes.length === 0)
    return <EmptyState title="No step has started">The graph grows as the run reaches its steps.</EmptyState>;
  return (
    <div className="flex min-w-0 flex-col xl:min-h-0 xl:flex-1">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5 border-line border-b px-4 py-2 md:px-6 print:hidden">
        <p className="min-w-0 flex-1 text-ink-3 text-small">
          A line leads from a step to those that started after it ended.
          {graph.edges.some(({ type }) => type === "undo") && " Dotted: the order of compensation."}
          {expected && graph.nodes.some(({ type }) => type === "expected") && (
            <>
              {" "}
              Dashed: not reached, as{" "}
              <Link href={`/runs/${expected.runId}`} className="text-accent underline">
                the last run of v{run.codeVersion} that completed
              </Link>{" "}
              went.
            </>
          )}
        </p>
        <Segmented
          label="How the graph is shown"
          value={view}
          onChange={(next) => void setChosen(next)}
          options={[
            { value: "drawn", text: "Diagram" },
            { value: "list", text: "List" },
          ]}
        />
      </div>
      {view === "drawn" && (
        <div className="h-[62vh] min-h-80 xl:h-auto xl:flex-1 print:hidden">
          <GraphCanvas key={run.id} {...shared} />
        </div>
      )}
      <div className={view === "drawn" ? "hidden print:block" : "xl:min-h-0 xl:overflow-y-auto"}>
        <GraphList {...shared} />
      </div>
    </div>
  );
}
