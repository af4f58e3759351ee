import Link from "next/link";
import type { ReactNode } from "react";
import type { Run } from "@/lib/api/contract/run";
import type { WaitKind } from "@/lib/engine/run";
import { plural, shortenMiddle } from "@/lib/format";
import { Remaining } from "../time/elapsed";
import { Instant } from "../time/instant";
import { Callout, type Tone } from "../ui/callout";
import { InQueue } from "./in-queue";
import { WhatItWaitsFor } from "./what-it-waits-for";

interface Why {
  tone: Tone;
  title: ReactNode;
  /** What would move it. */
  moves: ReactNode;
}

const WAITS = {
  timer: {
    tone: "violet",
    title: "It sleeps",
    moves: "The timer moves it, by the database's clock. Nothing has to be done.",
  },
  retry: {
    tone: "amber",
    title: "It will try again",
    moves: "The next attempt comes by itself, with the same idempotency key.",
  },
  event: { tone: "violet", title: "It waits for an event", moves: "The event moves it, when somebody sends it." },
  child: { tone: "violet", title: "It waits for another run", moves: "The end of the other run moves it." },
  slot: { tone: "gray", title: "It waits for a free slot", moves: "The end of another run of its queue moves it." },
  approval: { tone: "red", title: "It waits for an answer", moves: "A person's answer moves it." },
  operator: { tone: "red", title: "It waits for a person", moves: "Settling the step moves it." },
} as const satisfies Record<WaitKind, Why>;

const UNDO_WAITS: Why = {
  tone: "red",
  title: "An undo needs a person",
  moves: "Marking it compensated, waiving it or trying it again moves it.",
};

/** Why the run does not move: since when, until when, and what would move it. Nothing for a run that moves or has ended. */
export function WhyItWaits({ run }: { run: Run }) {
  const wait = run.waitingFor;
  const why = wait && (run.status === "compensating" && wait.kind === "operator" ? UNDO_WAITS : WAITS[wait.kind]);
  return (
    <>
      {isStuckWithoutWorker(run) && <NoWorker run={run} />}
      {run.heldBy && <IntakeClosed run={run} closed={run.heldBy} />}
      {run.queue && !isStuckWithoutWorker(run) && !run.heldBy && (
        <InQueue queue={run.queue} waiting={run.status !== "pending"} />
      )}
      {wait && why && wait.kind !== "slot" && (
        <Callout tone={why.tone} title={why.title}>
          <p className="text-ink-2">
            {wait.step && (
              <>
                At <span className="break-words font-mono text-ink text-small">{wait.step}</span>,{" "}
              </>
            )}
            since <Instant at={wait.since} />
            {wait.until && (
              <>
                , until <Instant at={wait.until} /> (<Remaining until={wait.until} />)
              </>
            )}
            . {why.moves}
          </p>
          {wait.step && <WhatItWaitsFor run={run} step={wait.step} />}
        </Callout>
      )}
      {run.status === "pending" && !run.queue && !isStuckWithoutWorker(run) && (!run.heldBy || run.runAt) && (
        <Pending run={run} />
      )}
      {run.cancelRequestedAt && run.status !== "cancelled" && (
        <Callout tone="amber" title="Cancelling">
          <p className="text-ink-2">
            Asked for <Instant at={run.cancelRequestedAt} as="relative" />. The worker lets the step in flight finish.
          </p>
        </Callout>
      )}
      {run.pauseRequestedAt && <Paused run={run} since={run.pauseRequestedAt} />}
      <LostClaims run={run} />
    </>
  );
}

const isStuckWithoutWorker = (run: Run) =>
  !run.workerAvailable &&
  (run.status === "pending" || run.status === "running" || run.status === "waiting" || run.status === "compensating");

function NoWorker({ run }: { run: Run }) {
  return (
    <Callout tone="amber" title={`No live worker has ${run.workflow} v${run.chosenVersion ?? run.version}`}>
      <p className="text-ink-2">
        {run.chosenVersion === null
          ? "It stands still until a worker that has this workflow is started."
          : "That version was chosen for it: it stands still until a worker that has it is started, or is rerun on another one."}{" "}
        Nothing is lost.
      </p>
    </Callout>
  );
}

function Pending({ run }: { run: Run }) {
  return (
    <Callout tone="gray" title={run.runAt ? "It starts later" : "It waits for a worker"}>
      <p className="text-ink-2">
        {run.runAt ? (
          <>
            At <Instant at={run.runAt} /> (<Remaining until={run.runAt} />
            ).
          </>
        ) : (
          "The next free worker takes it up."
        )}
      </p>
    </Callout>
  );
}

function IntakeClosed({ run, closed }: { run: Run; closed: NonNullable<Run["heldBy"]> }) {
  return (
    <Callout tone="amber" title="The intake of its workflow is closed">
      <p className="break-words text-ink-2">
        {closed.closedBy}, <Instant at={closed.closedAt} />: <q>{closed.reason}</q>.{" "}
        {closed.holds === "all" ? "Everything of it is held" : "What has not begun is held"}; opening it again, on{" "}
        <Link href="/workflows" className="text-accent underline">
          Workflows
        </Link>
        , moves {run.startedAt ? "it" : "it, by priority and age"}.
      </p>
    </Callout>
  );
}

function Paused({ run, since }: { run: Run; since: string }) {
  const pause = run.audit.find(({ act, result }) => act === "pause" && result === "done");
  const paused = run.status === "paused";
  return (
    <Callout tone={paused ? "gray" : "amber"} title={paused ? "It is paused" : "Pausing"}>
      <p className="break-words text-ink-2">
        {pause?.actor ?? "An operator"}, <Instant at={since} />
        {pause && (
          <>
            : <q>{pause.reason}</q>
          </>
        )}
        {run.pauseRoot !== null && run.pauseRoot !== run.id && (
          <>
            , with{" "}
            <Link href={`/runs/${run.pauseRoot}`} className="text-accent underline">
              {shortenMiddle(run.pauseRoot)}
            </Link>
          </>
        )}
        . {paused ? "Resume moves it; no timer does." : "The worker lets the step in flight finish."}
      </p>
    </Callout>
  );
}

function LostClaims({ run }: { run: Run }) {
  const last = run.lostClaims.at(-1);
  if (!last) return null;
  return (
    <Callout
      tone="gray"
      title={`A worker was lost ${run.lostClaims.length === 1 ? "" : `${plural(run.lostClaims.length, "time")} `}while it held this run`}
    >
      <p className="text-ink-2">
        Worker {last.workerId} fell silent, <Instant at={last.at} />, and another took over. What ran just then may have
        run without leaving a record; its idempotency key is the same in every attempt.
      </p>
    </Callout>
  );
}
