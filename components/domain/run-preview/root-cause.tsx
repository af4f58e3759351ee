import Link from "next/link";
import type { ReactNode } from "react";
import { Callout } from "@/components/ui/feedback/callout";
import type { Run } from "@/lib/api/contract/run";
import type { RootCause as Cause } from "@/lib/api/contract/run-relatives";
import type { Attention } from "@/lib/engine/runs/run";

interface Words {
  title: string;
  /** After the workflow's name. */
  did: string;
}

const NEEDS: Record<Attention, Words> = {
  failed: { title: "A descendant run failed", did: "failed" },
  outcome_unknown: { title: "A descendant run has an unknown outcome", did: "has a step with an unknown outcome" },
  compensation_owed: {
    title: "A compensation of a descendant run needs manual action",
    did: "has a compensation that needs manual action",
  },
  approval: { title: "A descendant run waits for an answer", did: "waits for an answer" },
};

function wordsOf(run: Run, { status, attention, way }: Cause): Words {
  if (status === "paused") return { title: "A descendant run is paused", did: "is paused" };
  if (attention === null || run.finishedAt !== null)
    return {
      title: "Failed because a child run failed",
      did: { cancelled: "was cancelled", compensated: "failed and was compensated" }[status as string] ?? "failed",
    };
  return attention === "failed" && way.length === 1 ? { title: "A child run failed", did: "failed" } : NEEDS[attention];
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
          ? "Repairing it lets this run continue."
          : "Repair it first; then rerun this run to use its result."}
      </p>
      {cause.way.length > 1 && <Way cause={cause} />}
    </Callout>
  );
}

function Way({ cause }: { cause: Cause }) {
  return (
    <nav aria-label="Path to the root cause" className="mt-1">
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
    <Callout tone="gray" title="Too many descendants to search">
      <p className="text-ink-2">
        Nothing that needs attention was found among the first runs below. Open one of them to search further.
      </p>
    </Callout>
  );
}
