"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { RunActs } from "@/components/domain/actions/run-acts";
import { standingSteps } from "@/components/domain/run/rerun-split";
import { lookOfRun } from "@/components/domain/run/run-looks";
import { stepHref } from "@/components/domain/run/step-href";
import { lookOfStep } from "@/components/domain/run/step-looks";
import { tookMs } from "@/components/domain/run/step-words";
import { InspectorSection } from "@/components/parts/page/inspector-section";
import { PreviewSkeleton } from "@/components/parts/page/preview-skeleton";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { StatusLabel } from "@/components/parts/status/status-label";
import { MiddleText } from "@/components/ui/text/middle-text";
import type { Run, Step } from "@/lib/api/contract/run";
import { runQuery } from "@/lib/api/hooks/queries";
import { formatDuration, plural } from "@/lib/format";
import { RunInspector } from "./run-inspector";

/** The inspector's summary of a run: what happened, the recommended action, and a link to its page. */
export function RunPreview({ runId }: { runId: string }) {
  const { data, error, refetch } = useQuery(runQuery(runId));
  if (data) return <Loaded run={data} />;
  if (error) return <QueryFailure what="the run" error={error} onRetry={() => void refetch()} />;
  return <PreviewSkeleton what="the run" />;
}

function Loaded({ run }: { run: Run }) {
  return (
    <div className="pb-6">
      <div className="grid gap-3 border-line border-b px-4 py-3.5">
        <div>
          <StatusLabel look={lookOfRun(run)} />
          <h2 className="mt-1 text-pretty break-words font-medium text-title">{run.summary}</h2>
        </div>
        <RunActs run={run} />
      </div>
      {run.steps.length > 0 && (
        <InspectorSection title="Steps">
          <StepLines run={run} />
        </InspectorSection>
      )}
      <RunInspector run={run} />
    </div>
  );
}

const SHOWN = 12;

/** As its timeline has it. */
function timeOf(step: Step): string {
  const ms = tookMs(step);
  return ms === null ? lookOfStep(step).word.toLowerCase() : formatDuration(ms);
}

function StepLines({ run }: { run: Run }) {
  const steps = standingSteps(run.steps);
  return (
    <ul className="-mx-2">
      {steps.slice(0, SHOWN).map((step) => (
        <li key={step.name}>
          <Link
            href={stepHref(run.id, step.name)}
            className="flex h-11 items-center gap-2.5 rounded-md px-2 hover:bg-sunken md:h-[30px]"
          >
            <StatusLabel look={lookOfStep(step)} shapeOnly />
            <MiddleText text={step.name} className="font-mono text-small" />
            <span className="ml-auto shrink-0 text-ink-3">{timeOf(step)}</span>
          </Link>
        </li>
      ))}
      {steps.length > SHOWN && (
        <li className="px-2 pt-1 text-ink-3 text-small">and {plural(steps.length - SHOWN, "more step")}</li>
      )}
    </ul>
  );
}
