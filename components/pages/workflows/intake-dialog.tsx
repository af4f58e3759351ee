"use client";

import { useState } from "react";
import { ActDialog } from "@/components/parts/submit/act-dialog";
import { useAct } from "@/components/parts/submit/use-act";
import { SAY_WHY, useReason } from "@/components/parts/submit/use-reason";
import { tell } from "@/components/parts/toasts/tell";
import { UNDO_REASON, useUndo } from "@/components/parts/toasts/use-undo";
import { Callout } from "@/components/ui/feedback/callout";
import { type Choice, ChoiceCards } from "@/components/ui/form/choice-cards";
import { TextField } from "@/components/ui/form/text-field";
import { DialogSection } from "@/components/ui/overlay/dialog";
import { post } from "@/lib/api/client/client";
import type { WorkflowView } from "@/lib/api/contract/responses";
import { useCloseIntake, useOpenIntake } from "@/lib/api/hooks/act-hooks";
import type { IntakeHolds } from "@/lib/engine/queues/intake";
import { plural } from "@/lib/format";

interface IntakeDialogProps {
  workflow: WorkflowView;
  onClose: () => void;
}

/** Closes the intake of a workflow, or opens it again. */
export function IntakeDialog(props: IntakeDialogProps) {
  return props.workflow.intake ? <OpenDialog {...props} /> : <CloseDialog {...props} />;
}

const HOLDS: Choice<IntakeHolds>[] = [
  {
    value: "new",
    text: "Hold what has not begun",
    note: "Runs under way go on to their end, undos too. Nothing in flight is touched.",
  },
  {
    value: "all",
    text: "Hold everything",
    note: "Runs under way, too: a body in flight finishes and is recorded, no attempt is spent, and nothing after it begins. Timers and undos wait.",
  },
];

function CloseDialog({ workflow: { name, title, running }, onClose }: IntakeDialogProps) {
  const [holds, setHolds] = useState<IntakeHolds>("new");
  const undo = useUndo();
  const reason = useReason(SAY_WHY);
  const act = useAct(useCloseIntake(name), () => {
    tell(`The intake of ${title} is closed`, {
      undo: undo({
        act: (idempotencyKey) =>
          post(
            "/v1/workflows/{workflow}/intake/opening",
            { workflow: name },
            { request: { reason: UNDO_REASON }, idempotencyKey },
          ),
        done: `The intake of ${title} is open`,
      }),
    });
    onClose();
  });
  return (
    <ActDialog
      title={`Close the intake of ${title}`}
      description="Runs are still accepted and kept, from wherever they are started; none that has not begun is begun until the intake is opened again."
      submit="Close the intake"
      pending={act.pending}
      error={act.error}
      onSubmit={() => reason.check() && act.submit({ request: { holds, reason: reason.text } })}
      onClose={onClose}
    >
      <DialogSection className="grid gap-3">
        <ChoiceCards label="What is held" value={holds} onChange={setHolds} choices={HOLDS} />
        {holds === "all" && running > 0 && (
          <Callout tone="gray">{plural(running, "run")} under way now: held at the next step, within seconds.</Callout>
        )}
        <TextField
          {...reason.field}
          label="Why (it stands in the audit)"
          placeholder="Failing since the deploy of version 7"
        />
      </DialogSection>
    </ActDialog>
  );
}

function OpenDialog({ workflow: { name, title, backlog, intake }, onClose }: IntakeDialogProps) {
  const undo = useUndo();
  const reason = useReason(SAY_WHY);
  const act = useAct(useOpenIntake(name), () => {
    tell(`The intake of ${title} is open`, {
      undo: undo({
        act: (idempotencyKey) =>
          post(
            "/v1/workflows/{workflow}/intake/closure",
            { workflow: name },
            { request: { holds: intake?.holds ?? "new", reason: UNDO_REASON }, idempotencyKey },
          ),
        done: `The intake of ${title} is closed`,
      }),
    });
    onClose();
  });
  return (
    <ActDialog
      title={`Open the intake of ${title}`}
      description="What was held goes on, by priority and age, no faster than the workers and the workflow's limits let it. Timers that have passed are due at once."
      submit="Open the intake"
      pending={act.pending}
      error={act.error}
      onSubmit={() => reason.check() && act.submit({ request: { reason: reason.text } })}
      onClose={onClose}
    >
      <DialogSection className="grid gap-3">
        <Callout tone="gray">
          {backlog === 0
            ? "Nothing waits to go on."
            : `${backlog >= 1_000 ? "1,000 runs or more" : plural(backlog, "run")} to go on.`}
        </Callout>
        <TextField {...reason.field} label="Why (it stands in the audit)" placeholder="Version 8 is deployed" />
      </DialogSection>
    </ActDialog>
  );
}
