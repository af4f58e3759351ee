"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import type { Plan, PlanRequest } from "@/lib/api/contract/plans";
import type { RunFilter } from "@/lib/api/contract/requests";
import { useExecution, usePlan } from "@/lib/api/hooks/operation-hooks";
import { PLANNED_ACTS, type PlannedActName } from "@/lib/engine/planned-act";
import { ActDialog } from "../acts/act-dialog";
import { useAct } from "../acts/use-act";
import { SAY_WHY, useReason } from "../acts/use-reason";
import { Callout } from "../ui/callout";
import { ChoiceCards } from "../ui/choice-cards";
import { DialogSection } from "../ui/dialog";
import { TextField } from "../ui/text-field";
import { ACT_WORDS, runsText } from "./operation-words";

const NOTES = {
  rerun: "From the step that failed, in the same run; earlier results and keys are kept.",
  cancel: "They end without finishing. What they did stays done.",
  pause: "What is in flight finishes; nothing after it begins.",
  resume: "Paused runs go on.",
} satisfies Record<PlannedActName, string>;

interface PlanDialogProps {
  filter: RunFilter;
  onClose: () => void;
}

/** First what an act would do to every run that matches; then, with a reason, exactly that. */
export function PlanDialog({ filter, onClose }: PlanDialogProps) {
  const [plan, setPlan] = useState<Plan | null>(null);
  return plan ? (
    <ExecuteDialog plan={plan} onClose={onClose} />
  ) : (
    <ChooseDialog filter={filter} onPlan={setPlan} onClose={onClose} />
  );
}

function ChooseDialog({ filter, onPlan, onClose }: PlanDialogProps & { onPlan: (plan: Plan) => void }) {
  const [act, setAct] = useState<PlannedActName>("rerun");
  const planning = useAct(usePlan(), onPlan);
  return (
    <ActDialog
      title="Act on all runs that match"
      description="You see what would happen to each of them before anything does."
      submit="Show what would happen"
      pending={planning.pending}
      error={planning.error}
      onSubmit={() => planning.submit({ request: { act, params: {}, selection: { filter } } as PlanRequest })}
      onClose={onClose}
    >
      <DialogSection>
        <ChoiceCards
          label="What to do"
          value={act}
          onChange={setAct}
          choices={PLANNED_ACTS.map((value) => ({ value, text: ACT_WORDS[value], note: NOTES[value] }))}
        />
      </DialogSection>
    </ActDialog>
  );
}

function ExecuteDialog({ plan, onClose }: { plan: Plan; onClose: () => void }) {
  const router = useRouter();
  const reason = useReason(SAY_WHY);
  const sending = useAct(useExecution(), ({ id }) => router.push(`/operations/${id}`));
  const { included } = plan.counts;
  return (
    <ActDialog
      title={`${ACT_WORDS[plan.act]} ${runsText(included)}`}
      description="The first five, then, when they have come through, the rest, 20 a second. You can pause at any time."
      submit={`${ACT_WORDS[plan.act]} ${runsText(included)}`}
      tone={plan.act === "cancel" ? "danger" : "primary"}
      blocked={included === 0}
      pending={sending.pending}
      error={sending.error}
      wide
      onSubmit={() =>
        reason.check() && sending.submit({ planId: plan.id, request: { hash: plan.hash, reason: reason.text } })
      }
      onClose={onClose}
    >
      <Preview plan={plan} />
      <DialogSection>
        <TextField {...reason.field} label="Why (it stands in the audit of every run)" />
      </DialogSection>
    </ActDialog>
  );
}

function Preview({ plan: { counts } }: { plan: Plan }) {
  const { leftOut, again, goOn, effects, split, questions } = counts;
  return (
    <DialogSection className="grid gap-3">
      <ul className="grid gap-1">
        {again.map(({ name, count }) => (
          <li key={name}>
            {runsText(count)} from <span className="font-mono text-small">{name}</span>; the results before it stay.
          </li>
        ))}
        {again.length > 0 && goOn > 0 && <li>{runsText(goOn)} go on in their code behind their last step.</li>}
        {split && split.clean > 0 && <li>{runsText(split.clean)} have done nothing yet that would stay.</li>}
        {split && split.owes_compensation > 0 && (
          <li>{runsText(split.owes_compensation)} have done what can be undone by their compensations.</li>
        )}
        {split && split.past_undoing > 0 && (
          <li className="text-red">{runsText(split.past_undoing)} have done something that nothing undoes.</li>
        )}
        <li>{effects.stay} effects that have happened stay as they are.</li>
        {effects.repeat > 0 && <li>{effects.repeat} effects are asked for again, by the same keys.</li>}
        {questions > 0 && <li>{questions} questions are asked again or left unanswered.</li>}
      </ul>
      {effects.unprotected > 0 && (
        <Callout tone="red" title={`${effects.unprotected} effects may happen twice`}>
          <p className="text-ink-2">Nothing protects them from being repeated.</p>
        </Callout>
      )}
      {leftOut.length > 0 && (
        <div>
          <h3 className="font-medium">Left out</h3>
          <ul className="grid gap-1 text-ink-2">
            {leftOut.map(({ name, count }) => (
              <li key={name}>
                {runsText(count)}: {name}
              </li>
            ))}
          </ul>
        </div>
      )}
    </DialogSection>
  );
}
