import Link from "next/link";
import type { ReactNode } from "react";
import { standingSteps } from "@/components/domain/run/rerun-split";
import type { Run, Step } from "@/lib/api/contract/run";
import { plural, shortenMiddle } from "@/lib/format";
import { InQueue } from "./in-queue";
import { PermitWaits } from "./permit-waits";
import type { ReasonKind } from "./wait-reasons";

/** The details of a wait besides why, since when and until when. */
export function WaitDetails({ run, kind, step: name }: { run: Run; kind: ReasonKind; step: string | null }) {
  const details = DETAILS[kind];
  const step = name === null ? undefined : standingSteps(run.steps).find((candidate) => candidate.name === name);
  return details ? details(run, step) : null;
}

const Code = ({ children }: { children: ReactNode }) => (
  <span className="break-words font-mono text-ink text-small">{children}</span>
);

const DETAILS: Partial<Record<ReasonKind, (run: Run, step: Step | undefined) => ReactNode>> = {
  no_worker: ({ workflow, version }) => (
    <>
      Needs a worker with <Code>{workflow}</Code>, v{version} or newer.{" "}
    </>
  ),
  no_worker_of_version: ({ workflow, chosenVersion }) => (
    <>
      Needs a worker with <Code>{workflow}</Code>, v{chosenVersion} and no other.{" "}
    </>
  ),
  missing_key: ({ missingKey }) => (
    <>
      A value is sealed with <Code>{missingKey}</Code>.{" "}
    </>
  ),
  blob: ({ blobError }) => blobError && <>It said: {blobError.slice(0, 200)} </>,
  silent_worker: ({ owner }) => <>{owner?.name} sent no heartbeat. </>,
  intake: ({ heldBy }) =>
    heldBy && (
      <>
        By {heldBy.closedBy}: <q>{heldBy.reason}</q>.{" "}
        {heldBy.holds === "all" ? "Runs under way are held too. " : "Runs that have not started are held. "}
      </>
    ),
  queue: ({ queue }) => queue && <InQueue queue={queue} />,
  permit: ({ permits }, step) => <PermitWaits permits={permits.filter((wait) => wait.step === step?.name)} />,
  retry: (_, step) =>
    step && (
      <>
        Attempt {step.attempt} of {step.maxAttempts}
        {step.error ? <>: {firstLine(step.error.message)} </> : ". "}
      </>
    ),
  event: (_, step) =>
    step?.wait?.event && (
      <>
        Event <Code>{step.wait.event}</Code>
        {step.wait.key && (
          <>
            {" "}
            for <Code>{step.wait.key}</Code>
          </>
        )}
        .{" "}
      </>
    ),
  approval: (_, step) =>
    step?.wait?.question && (
      <span className="my-1 block whitespace-pre-wrap break-words font-medium text-ink">{step.wait.question}</span>
    ),
  paused: pausedBy,
  pausing: pausedBy,
};

function pausedBy(run: Run): ReactNode {
  const pause = run.audit.find(({ act, result }) => act === "pause" && result === "done");
  const root = run.pauseRoot !== null && run.pauseRoot !== run.id ? run.pauseRoot : null;
  return (
    <>
      By {pause?.actor ?? "an operator"}
      {pause && (
        <>
          : <q>{pause.reason}</q>
        </>
      )}
      {root && (
        <>
          , with{" "}
          <Link href={`/runs/${root}`} className="text-accent underline">
            {shortenMiddle(root)}
          </Link>
        </>
      )}
      .{" "}
    </>
  );
}

const firstLine = (message: string) => `${(message.split("\n")[0] ?? "").replace(/[.]$/, "")}.`;

/** Workers that were lost while they held the run. */
export const lostWords = (count: number) =>
  `A worker was lost ${count === 1 ? "" : `${plural(count, "time")} `}while it held this run`;
