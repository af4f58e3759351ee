"use client";

import { useQuery } from "@tanstack/react-query";
import { Check } from "lucide-react";
import { type ReactNode, useId } from "react";
import { PermittedButton } from "@/components/domain/access/permitted-button";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { Loading, Skeleton } from "@/components/ui/feedback/skeleton";
import { Command } from "@/components/ui/text/command";
import { useWhyNot } from "@/lib/api/hooks/access-hooks";
import { overviewQuery, workflowsQuery } from "@/lib/api/hooks/queries";
import { classNames } from "@/lib/class-names";
import { plural } from "@/lib/format";
import { firstRunSteps } from "./first-run-steps";

/** A worker that registers is no change of a run, so that the stream does not report it; nothing else is read here yet. */
const REFETCH_MS = 2_000;

/** `npm run pack` turns it into the command of an app, like each such word on a screen. */
const WORKER_HERE: string = "npm run worker";

/** An installation without a run: three steps to the first one, each with what is true now. */
export function FirstRun({ onStart }: { onStart: () => void }) {
  const title = useId();
  const mayCount = useWhyNot("overview.read") === null;
  const live = useQuery({ ...overviewQuery(), refetchInterval: REFETCH_MS, enabled: mayCount }).data?.workers.live;
  const { data, error, refetch } = useQuery({ ...workflowsQuery(), refetchInterval: REFETCH_MS });
  if (!data) {
    if (error) return <QueryFailure what="the workflows" error={error} onRetry={() => void refetch()} />;
    return <Waiting />;
  }
  const steps = firstRunSteps({ live: live ?? null, workflows: data.workflows, origin: location.origin });
  const { connected, known, ready, command } = steps;
  return (
    <section aria-labelledby={title} className="mx-auto grid w-full max-w-2xl gap-4 px-4 py-6 md:px-6">
      <header>
        <h2 id={title} className="font-semibold text-title">
          Your first run
        </h2>
        <p className="text-ink-2">Three steps. Each is ticked when it is true.</p>
      </header>
      <ol className="grid gap-5">
        <Step place={1} done={connected} next={!connected} title={connected ? workersIn(live) : "Connect a worker"}>
          {!connected && (
            <>
              <p>A worker runs your workflows. Start one in your app’s folder:</p>
              <Command text="npx handrail dev" className="justify-self-start" />
              <p className="text-small">
                In production it is <Command text="npx handrail worker" />
                {WORKER_HERE !== "npx handrail worker" && (
                  <>
                    , in Handrail’s own repository <Command text={WORKER_HERE} />
                  </>
                )}
                .
              </p>
            </>
          )}
        </Step>
        <Step
          place={2}
          done={known.length > 0}
          next={connected && known.length === 0}
          title={known.length > 0 ? `It has ${namesOf(known)}` : "Give it a workflow"}
        >
          {known.length === 0 && (
            <>
              <p>This writes a first workflow, its test, and the configuration that lists it:</p>
              <Command text="npx handrail init" className="justify-self-start" />
              <p className="text-small">
                Your own are listed in <code className="font-mono">handrail.config.ts</code>. A worker registers them
                when it starts, and <code className="font-mono">handrail dev</code> whenever a file is saved.
              </p>
            </>
          )}
          {known.length > 0 && !ready && <p>No live worker has it now. Its runs wait until one is connected.</p>}
        </Step>
        <Step place={3} done={false} next={known.length > 0} title="Start the first run">
          {known.length === 0 ? (
            <p>Its form is made from the workflow’s input, and its run opens here.</p>
          ) : (
            <>
              <p>The form is made from the workflow’s input. The run opens as soon as it is started.</p>
              <PermittedButton
                action="run.start"
                variant={ready ? "primary" : "secondary"}
                onClick={onStart}
                className="justify-self-start"
              >
                {known.length === 1 ? `Start ${known[0]?.title}…` : "Start a run…"}
              </PermittedButton>
              {command && (
                <p className="text-small">
                  Or from a terminal: <Command text={command} />
                </p>
              )}
            </>
          )}
        </Step>
      </ol>
    </section>
  );
}

const workersIn = (live: number | undefined) =>
  live === undefined ? "A worker is connected" : `${plural(live, "worker")} ${live === 1 ? "is" : "are"} connected`;

const MOST_NAMED = 3;

function namesOf(workflows: readonly { title: string }[]): string {
  const named = workflows.slice(0, MOST_NAMED).map(({ title }) => title);
  const others = workflows.length - named.length;
  return [...named, ...(others > 0 ? [`${others} more`] : [])].join(", ");
}

interface StepProps {
  place: number;
  done: boolean;
  /** The one to do now. */
  next: boolean;
  title: string;
  children: ReactNode;
}

function Step({ place, done, next, title, children }: StepProps) {
  return (
    <li className="flex gap-3">
      <span
        className={classNames(
          "grid size-6 shrink-0 place-items-center rounded-full font-semibold text-small",
          done
            ? "bg-green-soft text-green"
            : next
              ? "bg-accent text-on-accent"
              : "border border-line-strong text-ink-3",
        )}
      >
        {done ? <Check aria-hidden className="size-3.5" strokeWidth={2.6} /> : place}
      </span>
      <div className="grid min-w-0 flex-1 gap-2 text-ink-2">
        <p role="status" className={classNames("break-words font-medium", next || done ? "text-ink" : "text-ink-2")}>
          {title}
          {done && <span className="sr-only"> (done)</span>}
        </p>
        {children}
      </div>
    </li>
  );
}

const Waiting = () => (
  <Loading what="the workflows" className="mx-auto grid w-full max-w-2xl gap-4 px-4 py-6 md:px-6">
    <Skeleton className="h-5 w-36" />
    <Skeleton className="h-6 w-64" />
    <Skeleton className="h-6 w-72" />
    <Skeleton className="h-6 w-56" />
  </Loading>
);
