"use client";

import type { UseMutationResult } from "@tanstack/react-query";
import { ActDialog } from "@/components/parts/submit/act-dialog";
import { useAct } from "@/components/parts/submit/use-act";
import { SAY_WHY, useReason } from "@/components/parts/submit/use-reason";
import { tell } from "@/components/parts/toasts/tell";
import { TextField } from "@/components/ui/form/text-field";
import { DialogSection } from "@/components/ui/overlay/dialog";
import type { ApiError, Sent } from "@/lib/api/client/client";

interface RevokeDialogProps {
  id: string;
  title: string;
  description: string;
  submit: string;
  done: string;
  mutation: UseMutationResult<unknown, ApiError, Sent<{ reason: string }> & { id: string }>;
  onClose: () => void;
}

/** Revokes a token or a session, from the next request on. */
export function RevokeDialog({ id, title, description, submit, done, mutation, onClose }: RevokeDialogProps) {
  const reason = useReason(SAY_WHY);
  const act = useAct(mutation, () => {
    tell(done);
    onClose();
  });
  return (
    <ActDialog
      title={title}
      description={description}
      submit={submit}
      tone="danger"
      pending={act.pending}
      error={act.error}
      onSubmit={() => reason.check() && act.submit({ id, request: { reason: reason.text } })}
      onClose={onClose}
    >
      <DialogSection>
        <TextField {...reason.field} />
      </DialogSection>
    </ActDialog>
  );
}
