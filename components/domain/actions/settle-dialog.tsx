"use client";

import { useState } from "react";
import { thisRun } from "@/components/domain/run/things";
import { ActDialog } from "@/components/parts/submit/act-dialog";
import { SAY_WHY, useReason } from "@/components/parts/submit/use-reason";
import { Instant } from "@/components/parts/time/instant";
import { tell } from "@/components/parts/toasts/tell";
import { parseJson } from "@/components/parts/values/parse-json";
import { StepKey } from "@/components/parts/values/step-key";
import { ChoiceCards } from "@/components/ui/form/choice-cards";
import { TextArea, TextField } from "@/components/ui/form/text-field";
import { Fact, Facts } from "@/components/ui/layout/facts";
import { DialogSection } from "@/components/ui/overlay/dialog";
import type { Resolution } from "@/lib/actions/settle";
import { WORDS } from "@/lib/actions/words";
import type { Step } from "@/lib/api/contract/run";
import { PlanOfOne } from "./plan-of-one";
import { SETTLE_BUTTONS, SETTLED_TOASTS, settleChoices } from "./settle-choices";
import type { FrozenRun } from "./use-frozen-run";
import { usePlannedAct } from "./use-planned-act";

interface SettleDialogProps {
  frozen: FrozenRun;
  step: Step;
  outcome?: Resolution;
  onClose: () => void;
}

/** Resolves a step with an unknown outcome, or replaces a failure with an outcome. */
export function SettleDialog({ frozen, step, outcome, onClose }: SettleDialogProps) {
  const choices = settleChoices(step);
  const [chosen, setChosen] = useState(outcome ?? choices.find(({ closed }) => !closed)?.value ?? "happened");
  const [output, setOutput] = useState("");
  const [reference, setReference] = useState("");
  const reason = useReason(SAY_WHY);
  const parsed = parseJson(output);
  const given = chosen === "happened" && {
    ...(parsed.ok && parsed.value !== undefined && { output: parsed.value }),
    ...(reference.trim() && { reference: reference.trim() }),
  };
  const params = { step: step.name, outcome: chosen, ...given };
  const planned = usePlannedAct(frozen, { act: "settle", params }, () => {
    tell(`${SETTLED_TOASTS[chosen]}: ${step.name}`, { about: thisRun(frozen.run) });
    onClose();
  });

  return (
    <ActDialog
      title={<SettleTitle step={step} />}
      description={
        step.status === "unknown"
          ? "It may have run, but no response was recorded. Look up the key at the provider, then record what you found."
          : "Failed, with no retries left. You can set its outcome manually."
      }
      submit={SETTLE_BUTTONS[chosen]}
      {...planned.frame}
      frozen={frozen}
      onSubmit={() => reason.check() && (chosen !== "happened" || parsed.ok) && planned.submit(reason.text)}
      onClose={onClose}
    >
      <DialogSection>
        <LastAttempt step={step} />
      </DialogSection>
      <DialogSection className="grid gap-3">
        <ChoiceCards label="Outcome" value={chosen} onChange={setChosen} choices={choices} />
        {chosen === "happened" && (
          <>
            <TextField
              label="Reference (the provider's id)"
              mono
              value={reference}
              onChange={(event) => setReference(event.target.value)}
              placeholder="ch_3f2a…"
            />
            <TextArea
              label="Output (JSON; passed to later steps)"
              mono
              rows={4}
              value={output}
              onChange={(event) => setOutput(event.target.value)}
              placeholder='{ "id": "ch_3f2a…" }'
              error={parsed.ok ? undefined : parsed.error}
            />
          </>
        )}
        <PlanOfOne {...planned} />
        <TextField {...reason.field} placeholder={WORDS.settle.plan.reason} />
      </DialogSection>
    </ActDialog>
  );
}

const SettleTitle = ({ step }: { step: Step }) => (
  <>
    Resolve <span className="font-mono text-[14px]">{step.name}</span>
  </>
);

function LastAttempt({ step }: { step: Step }) {
  const last = step.attempts.at(-1);
  return (
    <Facts>
      <Fact name="Idempotency key">
        <StepKey text={step.idempotencyKey} />
      </Fact>
      <Fact name="Started at">
        <Instant at={last?.startedAt ?? step.startedAt} as="full" />
        {last && <span className="text-ink-3"> · attempt {last.number}</span>}
      </Fact>
      {last?.workerId && (
        <Fact name="By worker">
          <span className="font-mono text-small">{last.workerId}</span>
        </Fact>
      )}
      {step.error && <Fact name="Error">{step.error.message}</Fact>}
    </Facts>
  );
}
