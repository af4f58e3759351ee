"use client";

import { useState } from "react";
import { thisRun } from "@/components/domain/run/things";
import { ActDialog } from "@/components/parts/submit/act-dialog";
import { useReason } from "@/components/parts/submit/use-reason";
import { tell } from "@/components/parts/toasts/tell";
import { StepKey } from "@/components/parts/values/step-key";
import { Callout } from "@/components/ui/feedback/callout";
import { ChoiceCards } from "@/components/ui/form/choice-cards";
import { TextArea, TextField } from "@/components/ui/form/text-field";
import { Fact, Facts } from "@/components/ui/layout/facts";
import { DialogSection } from "@/components/ui/overlay/dialog";
import { Copyable } from "@/components/ui/text/copyable";
import type { Step } from "@/lib/api/contract/run";
import { PlanOfOne } from "./plan-of-one";
import type { FrozenRun } from "./use-frozen-run";
import { usePlannedAct } from "./use-planned-act";

type Outcome = "compensated" | "waived";

const CHOICES = [
  {
    value: "compensated" as const,
    text: "I compensated it manually",
    note: "Mark compensated, with a note of what was done.",
  },
  { value: "waived" as const, text: "No refund needed", note: "Waive, with a reason." },
];

interface MarkCompensatedDialogProps {
  frozen: FrozenRun;
  step: Step;
  outcome?: Outcome;
  onClose: () => void;
}

/** Records that a compensation which is owed or failed was done manually. */
export function MarkCompensatedDialog({ frozen, step, outcome = "compensated", onClose }: MarkCompensatedDialogProps) {
  const [chosen, setChosen] = useState<Outcome>(outcome);
  const [reference, setReference] = useState("");
  const [evidence, setEvidence] = useState("");
  const note = useReason("Enter a note: what was done, or why nothing is needed.");
  const params = {
    step: step.name,
    outcome: chosen,
    ...(chosen === "compensated" && reference.trim() && { reference: reference.trim() }),
    ...(evidence.trim() && { evidence: evidence.trim() }),
  };
  const planned = usePlannedAct(frozen, { act: "mark_compensated", params }, (after) => {
    const rest = after.steps.filter(({ compensation }) => ["owed", "failed", "running"].includes(compensation.status));
    tell(chosen === "waived" ? `Waived the compensation of ${step.name}` : `Marked compensated: ${step.name}`, {
      about: thisRun(after),
      description:
        rest.length === 0 ? "All compensations of this run are resolved." : `${rest.length} still open in this run.`,
    });
    onClose();
  });

  return (
    <ActDialog
      title={
        <>
          Resolve compensation of <span className="font-mono text-[14px]">{step.name}</span>
        </>
      }
      description="Record what was done. Saved with your name and the time."
      submit={chosen === "waived" ? "Waive" : "Mark compensated"}
      {...planned.frame}
      frozen={frozen}
      onSubmit={() => note.check() && planned.submit(note.text)}
      onClose={onClose}
    >
      <DialogSection className="grid gap-3">
        <CompensationFacts step={step} />
      </DialogSection>
      <DialogSection className="grid gap-3">
        <ChoiceCards
          label="Outcome of the compensation"
          value={chosen}
          onChange={setChosen}
          choices={CHOICES}
          className="md:grid-cols-2"
        />
        <TextArea
          {...note.field}
          label={chosen === "waived" ? "Reason to waive it" : "What was done"}
          placeholder={chosen === "waived" ? "The gift card was used up already" : "Refunded in the gateway's console"}
        />
        {chosen === "compensated" && (
          <TextField
            label="Reference (optional: the provider's id of the compensation)"
            mono
            value={reference}
            onChange={(event) => setReference(event.target.value)}
          />
        )}
        <TextField
          label="Evidence (optional: a link)"
          hint="A link that starts with https://, such as a ticket."
          inputMode="url"
          value={evidence}
          onChange={(event) => setEvidence(event.target.value)}
        />
        <PlanOfOne {...planned} />
      </DialogSection>
    </ActDialog>
  );
}

function CompensationFacts({ step }: { step: Step }) {
  const { instructions, error } = step.compensation;
  return (
    <>
      {instructions && (
        <Callout tone="accent" title="Instructions">
          <p className="whitespace-pre-wrap">{instructions}</p>
        </Callout>
      )}
      {error && (
        <Callout tone="red" title={`The automatic compensation failed: ${error.name}`}>
          <p className="break-words">{error.message}</p>
        </Callout>
      )}
      <Facts>
        {step.reference && (
          <Fact name="Reference">
            <Copyable text={step.reference} what="the reference" />
          </Fact>
        )}
        <Fact name="Idempotency key">
          <StepKey text={step.idempotencyKey} />
        </Fact>
      </Facts>
    </>
  );
}
