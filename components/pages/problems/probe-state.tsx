"use client";

import type { ReactNode } from "react";
import { PermittedButton } from "@/components/domain/access/permitted-button";
import { heldText } from "@/components/domain/problems/problem-words";
import { RunLink } from "@/components/domain/run/run-link";
import type { Look } from "@/components/parts/status/look";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Remaining } from "@/components/parts/time/elapsed";
import { Instant } from "@/components/parts/time/instant";
import { Disclosure } from "@/components/ui/layout/disclosure";
import type { Probe, ProblemDetail } from "@/lib/api/contract/problems";
import type { ProbeStatus, TryOutcome } from "@/lib/engine/problems/probe";
import { plural } from "@/lib/format";

const LOOKS: Record<ProbeStatus, Look> = {
  running: { shape: "running", word: "Probing", tone: "blue" },
  through: { shape: "check", word: "A probe came through", tone: "green" },
  failed: { shape: "octagon", word: "Probe failed", tone: "red" },
  stopped: { shape: "slash", word: "Probe stopped", tone: "quiet" },
};

const OUTCOMES: Record<TryOutcome | "under_way", Look> = {
  under_way: { shape: "running", word: "under way", tone: "blue" },
  through: { shape: "check", word: "got through", tone: "green" },
  failed: { shape: "octagon", word: "failed again", tone: "amber" },
  otherwise: { shape: "octagon", word: "failed with another problem", tone: "red" },
  unknown: { shape: "question", word: "unknown outcome", tone: "red" },
  interrupted: { shape: "slash", word: "interrupted", tone: "quiet" },
  undecided: { shape: "clock", word: "still under way", tone: "amber" },
};

const hasFailedSince = ({ probe, lastAt }: ProblemDetail) =>
  probe !== null && probe.endedAt !== null && Date.parse(lastAt) > Date.parse(probe.endedAt);

/** A probe came through, nothing has failed since, and runs still have the problem. */
export const offersTheRest = (problem: ProblemDetail) =>
  problem.probe?.status === "through" && problem.openRuns > 0 && !hasFailedSince(problem);

/** The latest probe: where it is, what each rerun said, and the repair of the rest once one got through. */
export function ProbeState({ problem, onRerun }: { problem: ProblemDetail; onRerun: () => void }) {
  const { probe, openRuns, lastAt } = problem;
  if (!probe) return null;
  const failedSince = hasFailedSince(problem);
  return (
    <section aria-label="Probe" className="grid gap-2 rounded-lg border border-line bg-sunken px-3 py-2.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <p role="status" className="flex min-w-0 flex-wrap items-center gap-x-2">
          <StatusLabel look={LOOKS[probe.status]} />
          <span className="text-ink-2">{standing(probe)}</span>
        </p>
        {/* Outside the status: it counts down, and is not to be read out each second. */}
        {probe.nextAt && (
          <span className="text-ink-2">
            Next one in <Remaining until={probe.nextAt} />
          </span>
        )}
        {offersTheRest(problem) && (
          <PermittedButton action="plan.make" variant="primary" size="small" className="ml-auto" onClick={onRerun}>
            Rerun the rest ({heldText(openRuns)})…
          </PermittedButton>
        )}
      </div>
      {failedSince && (
        <p className="text-ink-2">
          But runs failed again since, last <Instant at={lastAt} as="relative" />.
        </p>
      )}
      <Disclosure summary={plural(probe.tries.length, "rerun")}>
        <ol aria-label="Reruns of the probe" className="grid gap-1 pt-1.5">
          {probe.tries.map(({ number, runId, named, outcome, at }) => (
            <li key={number} className="flex min-w-0 flex-wrap items-center gap-x-3">
              <RunLink runId={runId} names={named} />
              <StatusLabel look={OUTCOMES[outcome ?? "under_way"]} />
              <Instant at={at} as="relative" className="ml-auto text-ink-3 text-small" />
            </li>
          ))}
        </ol>
        <p className="break-words pt-1.5 text-ink-3 text-small">
          Started by {probe.startedBy} <Instant at={probe.startedAt} as="relative" />: {probe.reason}
        </p>
      </Disclosure>
    </section>
  );
}

function standing({ status, because, nextAt, endedAt, tries, mostTries }: Probe): ReactNode {
  const failed = tries.filter(({ outcome }) => outcome === "failed").length;
  if (status === "through")
    return (
      <>
        at <Instant at={endedAt ?? ""} />
        {failed > 0 && `, after ${plural(failed, "rerun")} that failed again`}
      </>
    );
  if (status !== "running") return because;
  if (nextAt === null) return `Rerun ${tries.length} of at most ${mostTries} is under way.`;
  return `${plural(failed, "rerun")} failed again.`;
}
