import { GitCompareArrows } from "lucide-react";
import Link from "next/link";
import { memo } from "react";
import { RunActs } from "@/components/domain/actions/run-acts";
import { ProgressBar, progressText } from "@/components/domain/run/progress-bar";
import { lookOfRun } from "@/components/domain/run/run-looks";
import { stepHref } from "@/components/domain/run/step-href";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Elapsed } from "@/components/parts/time/elapsed";
import { Instant } from "@/components/parts/time/instant";
import { Button } from "@/components/ui/button";
import { later } from "@/components/ui/later";
import type { Run } from "@/lib/api/contract/run";
import { titleOfRun } from "@/lib/engine/runs/run-name";
import { stoppedAt } from "./address/stopped-at";
import { CopyAs } from "./copy-as/copy-as";

// Few runs have a parent, are run again or are snoozed.
const Ancestors = later(() => import("./tree/ancestors").then((part) => part.Ancestors));
const Restarts = later(() => import("./restarts").then((part) => part.Restarts));
const Snoozed = later(() => import("./snoozed").then((part) => part.Snoozed));

/** Status, a sentence of what happened, and the recommended action. */
export const RunHeader = memo(function RunHeader({ run }: { run: Run }) {
  const title = titleOfRun(run);
  return (
    <header className="flex shrink-0 flex-wrap items-start gap-x-6 gap-y-3 px-4 pt-4 pb-3.5 md:px-6">
      <div className="min-w-0 flex-1 basis-80">
        <Ancestors run={run} />
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-0.5">
          <span role="status" className="inline-flex">
            <StatusLabel look={lookOfRun(run)} />
          </span>
          <span className="text-ink-3">
            {title && <b className="break-words font-semibold text-ink">{title} · </b>}
            {run.workflow} v{run.version}
            <OtherVersion run={run} />
            {run.begunBy && (
              <>
                {" · started by "}
                <Link
                  href={`/runs/${run.id}?tab=events`}
                  className="break-words font-mono text-accent text-small hover:underline"
                >
                  {run.begunBy.name}
                </Link>
              </>
            )}
            {run.generation > 1 && <> · generation {run.generation}</>}
            {run.startedAt && (
              <>
                {" · started "}
                <Instant at={run.startedAt} />, <Elapsed from={run.startedAt} to={run.finishedAt} />
              </>
            )}
          </span>
        </p>
        <h1 className="mt-1 max-w-[780px] text-pretty break-words font-semibold text-[1.0625rem] leading-6 tracking-[-0.018em] md:text-headline md:leading-[1.625rem]">
          {run.summary}
        </h1>
        <StoppedAt run={run} />
        <Restarts run={run} />
        <Snoozed run={run} />
        {run.progress && (
          <p className="mt-2 flex max-w-[420px] items-center gap-3 text-ink-2 text-small">
            <ProgressBar progress={run.progress} className="min-w-24 flex-1" />
            <span className="tabular-nums">{progressText(run.progress)}</span>
          </p>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-2 print:hidden">
        <span className="flex gap-2 max-md:order-last">
          <Button asChild>
            <Link href={`/runs/${run.id}/compare`} prefetch={false}>
              <GitCompareArrows aria-hidden className="size-3.5 text-ink-3" />
              Compare
            </Link>
          </Button>
          <CopyAs run={run} />
        </span>
        <RunActs run={run} />
      </div>
    </header>
  );
});

/** Where steps and inspector are not side by side, the step may be thousands of rows below. */
function StoppedAt({ run }: { run: Run }) {
  const step = stoppedAt(run);
  if (step === null) return null;
  return (
    <p className="mt-1 min-w-0 text-small xl:hidden print:hidden">
      <Link href={stepHref(run.id, step)} className="break-words text-accent underline">
        Open step {step}
      </Link>
    </p>
  );
}

/** The version that continues it, if it differs from the first one. */
function OtherVersion({ run: { version, chosenVersion, codeVersion } }: { run: Run }) {
  if (chosenVersion !== null && chosenVersion !== codeVersion) return <>, to continue with v{chosenVersion}</>;
  return codeVersion === version ? null : <>, now v{codeVersion}</>;
}
