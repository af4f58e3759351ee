"use client";

import { useState } from "react";
import { operationTitle } from "@/components/domain/operations/operation-words";
import { ActDialog } from "@/components/parts/submit/act-dialog";
import { useAct } from "@/components/parts/submit/use-act";
import { SAY_WHY, useReason } from "@/components/parts/submit/use-reason";
import { tell } from "@/components/parts/toasts/tell";
import { UNDO_REASON, useUndo } from "@/components/parts/toasts/use-undo";
import { TextField } from "@/components/ui/form/text-field";
import { DialogSection } from "@/components/ui/overlay/dialog";
import type { Operation } from "@/lib/api/contract/operations";
import {
  type PlainOperationAct,
  sendOperationAct,
  useOperationAct,
  useOperationRate,
} from "@/lib/api/hooks/operation-hooks";

export type OperationDialogAct = PlainOperationAct | "rate";

interface OperationDialogProps {
  operation: Operation;
  onClose: () => void;
}

/** The dialog of the chosen action. */
export function OperationDialog({ act, ...props }: OperationDialogProps & { act: OperationDialogAct }) {
  return act === "rate" ? <RateDialog {...props} /> : <PlainDialog act={act} {...props} />;
}

const WORDS: Record<PlainOperationAct, { title: string; description: string; submit: string }> = {
  pause: {
    title: "Pause this operation",
    description: "No further runs start. Runs that already started continue.",
    submit: "Pause the operation",
  },
  resume: {
    title: "Resume this operation",
    description: "Continues with the next run. The results so far count as reviewed.",
    submit: "Resume the operation",
  },
  abort: {
    title: "Abort this operation",
    description: "Completed runs stay as they are; the rest is not changed. To continue later, make a new plan.",
    submit: "Abort the operation",
  },
};

const DONE: Record<PlainOperationAct, string> = {
  pause: "The operation is paused",
  resume: "The operation is resumed",
  abort: "The operation is aborted",
};

function PlainDialog({ act, operation, onClose }: OperationDialogProps & { act: PlainOperationAct }) {
  const { title, description, submit } = WORDS[act];
  const reason = useReason(SAY_WHY);
  const undo = useUndo();
  const about = { name: operationTitle(operation), href: `/operations/${operation.id}` };
  const sending = useAct(useOperationAct(operation.id, act), () => {
    const inverse = act === "pause" ? "resume" : act === "resume" ? "pause" : null;
    // Undo of a pause is no look at the results: these are still judged.
    const request = { reason: UNDO_REASON, ...(inverse === "resume" && { undo: true as const }) };
    const back = inverse && {
      act: (idempotencyKey: string) => sendOperationAct(operation.id, inverse, { request, idempotencyKey }),
      done: DONE[inverse],
      about,
    };
    tell(DONE[act], { about, undo: back ? undo(back) : undefined });
    onClose();
  });
  return (
    <ActDialog
      title={title}
      description={description}
      submit={submit}
      tone={act === "abort" ? "danger" : "primary"}
      pending={sending.pending}
      error={sending.error}
      onSubmit={() => reason.check() && sending.submit({ request: { reason: reason.text } })}
      onClose={onClose}
    >
      <DialogSection>
        <TextField {...reason.field} />
      </DialogSection>
    </ActDialog>
  );
}

function RateDialog({ operation, onClose }: OperationDialogProps) {
  const [rate, setRate] = useState(String(operation.ratePerSecond));
  const reason = useReason(SAY_WHY);
  const sending = useAct(useOperationRate(operation.id), onClose);
  const ratePerSecond = Number(rate);
  const fits = Number.isInteger(ratePerSecond) && ratePerSecond >= 1 && ratePerSecond <= 1_000;
  return (
    <ActDialog
      title="Change the rate"
      description="Applies from the next run."
      submit="Change the rate"
      blocked={!fits}
      pending={sending.pending}
      error={sending.error}
      onSubmit={() => reason.check() && sending.submit({ request: { ratePerSecond, reason: reason.text } })}
      onClose={onClose}
    >
      <DialogSection className="grid gap-3">
        <TextField
          label="Runs per second"
          inputMode="numeric"
          value={rate}
          onChange={(event) => setRate(event.target.value)}
          error={fits ? undefined : "A whole number from 1 to 1,000."}
        />
        <TextField {...reason.field} />
      </DialogSection>
    </ActDialog>
  );
}
