"use client";

import type { UseMutationResult } from "@tanstack/react-query";
import { ActDialog } from "@/components/parts/submit/act-dialog";
import { useAct } from "@/components/parts/submit/use-act";
import { SAY_WHY, useReason } from "@/components/parts/submit/use-reason";
import { TextField } from "@/components/ui/form/text-field";
import { DialogSection } from "@/components/ui/overlay/dialog";
import type { ApiError, Sent } from "@/lib/api/client/client";
import type { Destination, DestinationActRequest } from "@/lib/api/contract/destinations";

interface ConfirmProps<Answer> {
  destination: Destination;
  title: string;
  description: string;
  submit: string;
  tone?: "primary" | "danger";
  mutation: UseMutationResult<Answer, ApiError, Sent<DestinationActRequest> & { id: string }>;
  onDone: (answer: Answer) => void;
  onClose: () => void;
}

/** An action on a destination as it was displayed, with its reason. */
export function ConfirmOnDestination<Answer>({ destination, mutation, onDone, ...frame }: ConfirmProps<Answer>) {
  const { id, revision } = destination;
  const reason = useReason(SAY_WHY);
  const act = useAct(mutation, onDone);
  return (
    <ActDialog
      {...frame}
      pending={act.pending}
      error={act.error}
      onSubmit={() => reason.check() && act.submit({ id, request: { revision, reason: reason.text } })}
    >
      <DialogSection>
        <TextField {...reason.field} />
      </DialogSection>
    </ActDialog>
  );
}
