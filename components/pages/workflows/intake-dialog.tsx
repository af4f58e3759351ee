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
import { post } from "@/lib/api/client/browser";
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
    text: "New runs",
    note: "Runs under way continue to their end, compensations too.",
  },
  {
    value: "all",
    text: "All runs",
    note: "Runs under way, too: a step in flight finishes and is recorded, and nothing starts after it. No attempt is used up. Timers and compensations wait.",
  },
];

function CloseDialog({ workflow: { name, title, running }, onClose }: IntakeDialogProps) {
  const [holds, setHolds] = useState<IntakeHolds>("new");
  const undo = useUndo();
  const reason = useReason(SAY_WHY);
  const act = useAct(useCloseIntake(name), () => {
    tell(`New runs of ${title} are paused`, {
      undo: undo({
        act: (idempotencyKey) =>
          post(
            "/v1/workflows/{workflow}/intake/opening",
            { workflow: name },
            { request: { reason: UNDO_REASON }, idempotencyKey },
          ),
        done: `New runs of ${title} resumed`,
      }),
    });
    onClose();
  });
  return (
    <ActDialog
      title={`Pause new runs of ${title}`}
      description="New runs are still accepted and saved, but do not start until you resume."
      submit="Pause new runs"
      pending={act.pending}
      error={act.error}
      onSubmit={() => reason.check() && act.submit({ request: { holds, reason: reason.text } })}
      onClose={onClose}
    >
      <DialogSection className="grid gap-3">
        <ChoiceCards label="What to pause" value={holds} onChange={setHolds} choices={HOLDS} />
        {holds === "all" && running > 0 && (
          <Callout tone="gray">{plural(running, "run")} in progress: paused at the next step, within seconds.</Callout>
        )}
        <TextField {...reason.field} placeholder="Failing since the deploy of version 7" />
      </DialogSection>
    </ActDialog>
  );
}

function OpenDialog({ workflow: { name, title, backlog, intake }, onClose }: IntakeDialogProps) {
  const undo = useUndo();
  const reason = useReason(SAY_WHY);
  const act = useAct(useOpenIntake(name), () => {
    tell(`New runs of ${title} resumed`, {
      undo: undo({
        act: (idempotencyKey) =>
          post(
            "/v1/workflows/{workflow}/intake/closure",
            { workflow: name },
            { request: { holds: intake?.holds ?? "new", reason: UNDO_REASON }, idempotencyKey },
          ),
        done: `New runs of ${title} are paused`,
      }),
    });
    onClose();
  });
  return (
    <ActDialog
      title={`Resume new runs of ${title}`}
      description="Held runs start by priority and age, within the limits of the workflow. Timers that have passed are due at once."
      submit="Resume new runs"
      pending={act.pending}
      error={act.error}
      onSubmit={() => reason.check() && act.submit({ request: { reason: reason.text } })}
      onClose={onClose}
    >
      <DialogSection className="grid gap-3">
        <Callout tone="gray">
          {backlog === 0
            ? "No runs are waiting."
            : `${backlog >= 1_000 ? "1,000 runs or more" : plural(backlog, "run")} waiting.`}
        </Callout>
        <TextField {...reason.field} placeholder="Version 8 is deployed" />
      </DialogSection>
    </ActDialog>
  );
}
