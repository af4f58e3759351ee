import Link from "next/link";
import { memo, type ReactNode } from "react";
import { ErrorView } from "@/components/domain/run/error-view";
import { RunLink } from "@/components/domain/run/run-link";
import { stepHref } from "@/components/domain/run/step-href";
import { StoredValue } from "@/components/domain/run/stored-value";
import { WhyItWaits } from "@/components/domain/waits/why-it-waits-later";
import { InspectorSection } from "@/components/parts/page/inspector-section";
import { Instant } from "@/components/parts/time/instant";
import { later } from "@/components/ui/later";
import { Fact, Facts } from "@/components/ui/layout/facts";
import { Copyable } from "@/components/ui/text/copyable";
import type { Run } from "@/lib/api/contract/run";

// Few runs have a descendant that failed, or have drifted.
const RootCause = later(() => import("./root-cause").then((part) => part.RootCause));
const DriftNotes = later(() => import("./drift-notes").then((part) => part.DriftNotes));

const INPUT = { part: "input" } as const;
const OUTPUT = { part: "output" } as const;

/** What is known of the run as a whole. */
export const RunInspector = memo(function RunInspector({ run }: { run: Run }) {
  return (
    <div>
      <h2 className="sr-only">The run</h2>
      <RunNotes run={run}>
        {run.error && (
          <ErrorView error={run.error} tone={run.attention === null ? "gray" : "red"} at={<FailedAt run={run} />} />
        )}
      </RunNotes>
      <InspectorSection>
        <RunFacts run={run} />
      </InspectorSection>
      <InspectorSection title="Input">
        <StoredValue value={run.input} what="the input" runId={run.id} of={INPUT} />
      </InspectorSection>
      {run.status === "completed" && (
        <InspectorSection title="Output">
          <StoredValue value={run.output} what="the output" runId={run.id} of={OUTPUT} />
        </InspectorSection>
      )}
    </div>
  );
});

/** What keeps the run, and above it what needs attention. */
export const RunNotes = ({ run, children }: { run: Run; children?: ReactNode }) => (
  <div className="@container grid gap-2 border-line border-b px-4 py-3.5 empty:hidden">
    {/* What needs attention comes before what happens by itself. */}
    <RootCause run={run} />
    <WhyItWaits run={run} />
    <DriftNotes run={run} />
    {children}
  </div>
);

function FailedAt({ run: { id, failedStep } }: { run: Run }) {
  if (failedStep === null) return null;
  return (
    <>
      {" at "}
      <Link href={stepHref(id, failedStep)} className="font-mono text-small underline">
        {failedStep}
      </Link>
    </>
  );
}

function RunFacts({ run }: { run: Run }) {
  return (
    <Facts>
      <Fact name="Run">
        <Copyable text={run.id} what="the run's id" />
      </Fact>
      {run.idempotencyKey && (
        <Fact name="Key">
          <Copyable text={run.idempotencyKey} what="the run's idempotency key" />
        </Fact>
      )}
      {Object.entries(run.tags).map(([name, value]) => (
        <Fact key={name} name={name}>
          <Copyable text={value} what={name} />
        </Fact>
      ))}
      {Object.entries(run.headers).map(([name, value]) => (
        <Fact key={name} name={`Header ${name}`}>
          <Copyable text={value} what={`the header ${name}`} />
        </Fact>
      ))}
      {run.singleton && (
        <Fact name="Singleton">
          {run.singleton.key ? (
            <Copyable text={run.singleton.key} what="the singleton key" />
          ) : (
            <span className="text-ink-3">{run.singleton.key === null ? "a masked key" : "one of the workflow"}</span>
          )}
        </Fact>
      )}
      <Fact name="Created">
        <Instant at={run.createdAt} as="full" />
      </Fact>
      {run.beginBy && run.startedAt === null && (
        <Fact name="Begin by">
          <Instant at={run.beginBy} as="full" />
        </Fact>
      )}
      {run.startedAt && (
        <Fact name="Started">
          <Instant at={run.startedAt} as="full" />
        </Fact>
      )}
      {run.deadlineAt && (
        <Fact name="Deadline">
          <Instant at={run.deadlineAt} as="full" />
        </Fact>
      )}
      {run.finishedAt && (
        <Fact name="Ended">
          <Instant at={run.finishedAt} as="full" />
        </Fact>
      )}
      {run.workerId && (
        <Fact name="Worker">
          <Link href="/workers" className="text-accent hover:underline">
            {run.workerId}
          </Link>
        </Fact>
      )}
      {run.parentRunId && (
        <Fact name="Started by">
          <RunLink runId={run.parentRunId} names={run.ancestors.at(-1)?.named ?? null} />
          {run.parentStep && <span className="break-words text-ink-3"> at {run.parentStep}</span>}
        </Fact>
      )}
      {run.priority !== 0 && <Fact name="Priority">{run.priority}</Fact>}
    </Facts>
  );
}
