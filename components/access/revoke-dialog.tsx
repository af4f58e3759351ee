"use client";

import type { UseMutationResult } from "@tanstack/react-query";
import type { ApiError, Sent } from "@/lib/api/client/client";
import { ActDialog } from "../acts/act-dialog";
import { useAct } from "../acts/use-act";
import { SAY_WHY, useReason } from "../acts/use-reason";
import { tell } from "../toasts/tell";
import { TextField } from "../ui/form/text-field";
import { DialogSection } from "../ui/overlay/dialog";

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
        <TextField {...reason.field} label="Why (it stands in the audit)" />
      </DialogSection>
    </ActDialog>
  );
}
