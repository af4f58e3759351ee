"use client";

import { useState } from "react";
import { thisRun } from "@/components/domain/run/things";
import { ActDialog } from "@/components/parts/submit/act-dialog";
import { useAct } from "@/components/parts/submit/use-act";
import { Instant } from "@/components/parts/time/instant";
import { tell } from "@/components/parts/toasts/tell";
import { JsonView } from "@/components/parts/values/json-view";
import { ChoiceCards } from "@/components/ui/form/choice-cards";
import { TextArea } from "@/components/ui/form/text-field";
import { Fact, Facts } from "@/components/ui/layout/facts";
import { DialogSection } from "@/components/ui/overlay/dialog";
import type { Step } from "@/lib/api/contract/run";
import { useAnswerApproval } from "@/lib/api/hooks/act-hooks";
import type { FrozenRun } from "./use-frozen-run";

interface AnswerDialogProps {
  frozen: FrozenRun;
  step: Step;
  wait: NonNullable<Step["wait"]>;
  choice?: string;
  onClose: () => void;
}

/** A run's question, and the answer to it. */
export function AnswerDialog({ frozen, step, wait, choice, onClose }: AnswerDialogProps) {
  const { run } = frozen;
  const [chosen, setChosen] = useState<string | null>(choice ?? null);
  const [note, setNote] = useState("");
  const act = useAct(useAnswerApproval(run.id), () => {
    tell(`Answered: ${chosen}`, { about: thisRun(run), description: "goes on with it." });
    onClose();
  });
  return (
    <ActDialog
      title={wait.question}
      description={`${run.title} asks. First response wins and is recorded with your name.`}
      submit={chosen === null ? "Choose an answer" : `${chosen.charAt(0).toUpperCase()}${chosen.slice(1)}`}
      blocked={chosen === null}
      pending={act.pending}
      error={act.error}
      frozen={frozen}
      onSubmit={() =>
        chosen !== null &&
        act.submit({
          step: step.name,
          request: { choice: chosen, generation: step.generation, ...(note.trim() && { note: note.trim() }) },
        })
      }
      onClose={onClose}
    >
      <DialogSection className="grid gap-2">
        <Facts>
          <Fact name="Asked">
            <Instant at={wait.since} as="full" />
          </Fact>
          {step.nextAttemptAt && (
            <Fact name="Expires">
              <Instant at={step.nextAttemptAt} as="full" />
            </Fact>
          )}
        </Facts>
        {wait.data !== null && <JsonView value={wait.data} what="data of the question" />}
      </DialogSection>
      <DialogSection className="grid gap-3">
        <ChoiceCards
          label="Your answer"
          value={chosen}
          onChange={setChosen}
          choices={wait.choices.map((value) => ({ value, text: value }))}
          className="md:grid-cols-2"
        />
        <TextArea label="Note (optional)" rows={3} value={note} onChange={(event) => setNote(event.target.value)} />
      </DialogSection>
    </ActDialog>
  );
}
