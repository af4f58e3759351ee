"use client";

import { X } from "lucide-react";
import Link from "next/link";
import { PermittedButton } from "@/components/domain/access/permitted-button";
import type { OpenAct } from "@/components/domain/actions/open-act";
import { factsOf } from "@/components/domain/actions/run-facts";
import { showAct } from "@/components/domain/actions/use-open-act";
import { ErrorView } from "@/components/domain/run/error-view";
import { lookOfStep } from "@/components/domain/run/step-looks";
import { effectInWords } from "@/components/domain/run/step-words";
import { StoredValue } from "@/components/domain/run/stored-value";
import { InspectorSection } from "@/components/parts/page/inspector-section";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Instant } from "@/components/parts/time/instant";
import { StepKey } from "@/components/parts/values/step-key";
import { IconButton } from "@/components/ui/icon-button";
import { later } from "@/components/ui/later";
import { Fact, Facts } from "@/components/ui/layout/facts";
import { Copyable } from "@/components/ui/text/copyable";
import { mayAnswer } from "@/lib/actions/answer";
import { mayAssign } from "@/lib/actions/assign";
import { mayMarkCompensated } from "@/lib/actions/mark-compensated";
import { mayRerun } from "@/lib/actions/rerun";
import { maySendEvent } from "@/lib/actions/send-event";
import { maySettle } from "@/lib/actions/settle";
import { mayWake } from "@/lib/actions/wake";
import type { Run, Step } from "@/lib/api/contract/run";
import { isRepeatable } from "@/lib/engine/runs/operator-acts";
import type { StepKind } from "@/lib/engine/steps/step";
import { isWait } from "../lanes/step-segments";

const AttemptList = later(() => import("./attempt-list").then((part) => part.AttemptList));
// Reads what is normal first, which comes later than the run.
const UsualTime = later(() => import("./usual-time").then((part) => part.UsualTime));
// Of a step that waits or waited, and of one that is compensated.
const WaitFacts = later(() => import("@/components/domain/waits/wait-facts").then((part) => part.WaitFacts));
const CompensationFacts = later(() => import("./compensation-facts").then((part) => part.CompensationFacts));

interface StepInspectorProps {
  run: Run;
  step: Step;
  /** Absent in a sheet, which has its own title and its own way to close. */
  onClose?: () => void;
}

/** Everything that is known of one step, the failure first. */
export function StepInspector({ run, step, onClose }: StepInspectorProps) {
  const records = run.steps.filter(({ name }) => name === step.name);
  const calls = step.supersededBy === null && (step.status === "failed" || step.status === "unknown");
  return (
    <div>
      <header className="flex min-h-[46px] items-center gap-2.5 border-line border-b py-2 pr-2 pl-4">
        <h2 className={onClose ? "min-w-0 truncate font-medium font-mono text-small" : "sr-only"}>{step.name}</h2>
        <StatusLabel look={lookOfStep(step)} className="shrink-0" />
        {onClose && (
          <IconButton label="Close (Esc)" className="ml-auto" onClick={onClose}>
            <X aria-hidden className="size-4" />
          </IconButton>
        )}
      </header>
      {step.error && (
        <InspectorSection>
          <ErrorView error={step.error} tone={calls ? "red" : "amber"} />
        </InspectorSection>
      )}
      {step.supersededBy === null && <StepActs run={run} step={step} />}
      <InspectorSection>
        <StepFacts step={step} />
        {!isWait(step) && <UsualTime run={run} step={step} />}
      </InspectorSection>
      {!isWait(step) && (
        <InspectorSection title="Attempts">
          <AttemptList steps={records} generation={step.generation} begunWith={run.version} />
        </InspectorSection>
      )}
      {step.wait && (
        <InspectorSection title={step.kind === "approval" ? "Question" : "Event"}>
          <WaitFacts wait={step.wait} />
        </InspectorSection>
      )}
      {step.status === "completed" && (
        <InspectorSection title={step.kind === "publish" ? "Published value" : "Output"}>
          <StoredValue
            value={step.output}
            what={`the output of ${step.name}`}
            runId={run.id}
            of={{ part: "step", step: step.name, generation: step.generation }}
          />
        </InspectorSection>
      )}
      {(step.compensation.mode !== "none" || step.compensation.status !== "none") && (
        <InspectorSection title="Compensation">
          <CompensationFacts step={step} />
        </InspectorSection>
      )}
    </div>
  );
}

/** What happens at the instant that a waiting step waits for. */
const NEXT: Partial<Record<StepKind, string>> = {
  sleep: "Wakes",
  event: "Expires",
  approval: "Expires",
  child: "Expires",
};

function StepFacts({ step }: { step: Step }) {
  return (
    <Facts>
      <Fact name="Effect">{effectInWords(step)}</Fact>
      {step.kind === "step" && (
        <Fact name="Key">
          <StepKey text={step.idempotencyKey} />
        </Fact>
      )}
      {(step.reference !== null || step.kind === "step") && (
        <Fact name={REFERENCES[step.kind] ?? "Reference"}>
          {step.reference ? (
            <Reference step={step} text={step.reference} />
          ) : (
            <span className="text-ink-3">none recorded</span>
          )}
        </Fact>
      )}
      {step.nextAttemptAt && (
        <Fact name={NEXT[step.kind] ?? "Next attempt"}>
          <Instant at={step.nextAttemptAt} /> (<Instant at={step.nextAttemptAt} as="relative" />)
        </Fact>
      )}
      {step.finishedAt && (
        <Fact name={step.status === "unknown" ? "Last seen" : "Ended"}>
          <Instant at={step.finishedAt} as="full" />
        </Fact>
      )}
      {step.supersededBy !== null && (
        <Fact name="Superseded">by the rerun that opened generation {step.supersededBy}</Fact>
      )}
    </Facts>
  );
}

/** The provider's own id; for a child, a link to its page. */
/** Kinds whose reference is another run. */
const REFERENCES: Partial<Record<StepKind, string>> = { child: "Child", cancel: "Cancels", send: "Sent to" };

function Reference({ step, text }: { step: Step; text: string }) {
  if (!REFERENCES[step.kind]) return <Copyable text={text} what="the reference" />;
  return (
    <Link href={`/runs/${text}`} className="break-all font-mono text-accent text-small underline">
      {text}
    </Link>
  );
}

/** The actions on this step, by the rules that the server enforces. */
function StepActs({ run, step }: { run: Run; step: Step }) {
  const facts = factsOf(run);
  const settle = ["ask", "happened", "did_not_happen", "skip"] as const;
  const maySettleIt = settle.some((outcome) => maySettle(facts, step.name, outcome).open);
  const acts: { text: string; act: OpenAct; shown: boolean; primary?: boolean }[] = [
    {
      text: "Check with provider…",
      act: { act: "settle", settleAs: "ask" },
      shown: maySettle(facts, step.name, "ask").open,
      primary: true,
    },
    {
      text: step.status === "failed" ? "Set output…" : "It happened…",
      act: { act: "settle", settleAs: "happened" },
      shown: maySettleIt,
    },
    {
      text: "It did not happen…",
      act: { act: "settle", settleAs: "did_not_happen" },
      shown: maySettle(facts, step.name, "did_not_happen").open,
    },
    { text: "Skip step…", act: { act: "settle", settleAs: "skip" }, shown: maySettle(facts, step.name, "skip").open },
    {
      text: "Mark compensated…",
      act: { act: "mark_compensated", markAs: "compensated" },
      shown: mayMarkCompensated(facts, step.name).open,
      primary: true,
    },
    {
      text: "Waive…",
      act: { act: "mark_compensated", markAs: "waived" },
      shown: mayMarkCompensated(facts, step.name).open,
    },
    {
      text: step.compensation.assignee === null ? "Assign…" : "Reassign…",
      act: { act: "assign" },
      shown: mayAssign(facts, step.name).open,
    },
    { text: "Wake now…", act: { act: "wake" }, shown: mayWake(facts, step.name).open },
    {
      text: "Answer…",
      act: { act: "answer" },
      shown: mayAnswer(facts, step.name).open,
      primary: true,
    },
    {
      text: "Send the event…",
      act: { act: "send_event", ...(step.wait?.event && { event: step.wait.event }) },
      shown: step.kind === "event" && step.status === "waiting" && maySendEvent(facts).open,
    },
    {
      text: isRepeatable(step) ? "Rerun with the same key…" : "Rerun from here…",
      act: { act: "rerun" },
      shown: mayRerun(facts, { fromStep: step.name }).open,
    },
  ];
  const shown = acts.filter((entry) => entry.shown);
  if (shown.length === 0) return null;
  return (
    <div className="flex flex-wrap gap-2 border-line border-b px-4 py-3.5">
      {shown.map(({ text, act, primary }) => (
        <PermittedButton
          key={text}
          action={`run.${act.act}`}
          workflow={run.workflow}
          variant={primary ? "primary" : "secondary"}
          onClick={() => showAct({ ...act, step: step.name })}
        >
          {text}
        </PermittedButton>
      ))}
    </div>
  );
}
