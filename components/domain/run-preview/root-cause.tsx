import Link from "next/link";
import type { ReactNode } from "react";
import { Callout } from "@/components/ui/feedback/callout";
import type { RootCause as Cause, Run } from "@/lib/api/contract/run";
import type { Attention } from "@/lib/engine/runs/run";

interface Words {
  title: string;
  /** After the workflow's name. */
  did: string;
}

const NEEDS: Record<Attention, Words> = {
  failed: { title: "A run below it failed", did: "failed" },
  outcome_unknown: { title: "A run below it has an unknown outcome", did: "does not know what became of a step" },
  compensation_owed: { title: "An undo below it needs a person", did: "is being undone and needs a person" },
  approval: { title: "A run below it waits for an answer", did: "asks a person" },
};

function wordsOf(run: Run, { status, attention, way }: Cause): Words {
  if (status === "paused") return { title: "A run below it is paused", did: "is paused" };
  if (attention === null || run.finishedAt !== null)
    return {
      title: "It failed because a child did",
      did: { cancelled: "was cancelled", compensated: "failed and was undone" }[status as string] ?? "failed",
    };
  return attention === "failed" && way.length === 1 ? { title: "A child failed", did: "failed" } : NEEDS[attention];
}

/** Where to begin with the repair: the run at the end of the chain of children, and the path to it. */
export function RootCause({ run }: { run: Run }) {
  const cause = run.rootCause;
  if (!cause) return run.rootCauseCapped && run.status === "waiting" ? <NotLookedThrough /> : null;
  const { title, did } = wordsOf(run, cause);
  const step = cause.failedStep ?? cause.waitingStep;
  const inNeed = cause.status !== "paused" && cause.attention !== null;
  return (
    <Callout tone={inNeed ? "red" : "gray"} title={title}>
      <p className="break-words text-ink-2">
        <RunLink runId={cause.runId}>{cause.workflow}</RunLink> {did}
        {step && (
          <>
            {" "}
            at <span className="font-mono text-small">{step}</span>
          </>
        )}
        {cause.error ? `: ${cause.error.message.replace(/[.]$/, "")}. ` : ". "}
        {run.finishedAt === null
          ? "Its repair moves this run, too."
          : "Repair it first; a rerun of this run then takes its result."}
      </p>
      {cause.way.length > 1 && <Way cause={cause} />}
    </Callout>
  );
}

function Way({ cause }: { cause: Cause }) {
  return (
    <nav aria-label="The way to the root cause" className="mt-1">
      <ol className="flex flex-wrap gap-x-1.5 text-ink-3 text-small">
        {cause.way.map(({ runId, parentStep }, place) => (
          <li key={runId} className="flex min-w-0 gap-1.5">
            {place > 0 && <span aria-hidden>›</span>}
            <RunLink runId={runId}>
              <span className="font-mono">{parentStep}</span>
            </RunLink>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function RunLink({ runId, children }: { runId: string; children: ReactNode }) {
  return (
    <Link href={`/runs/${runId}`} className="min-w-0 break-words text-accent underline">
      {children}
    </Link>
  );
}

function NotLookedThrough() {
  return (
    <Callout tone="gray" title="There is much below it">
      <p className="text-ink-2">
        Nothing that needs a person was found among the first runs that it waits for. Look further from one of them.
      </p>
    </Callout>
  );
}
