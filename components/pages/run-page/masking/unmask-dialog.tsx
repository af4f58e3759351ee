"use client";

import { ActDialog } from "@/components/parts/submit/act-dialog";
import { useAct } from "@/components/parts/submit/use-act";
import { SAY_WHY, useReason } from "@/components/parts/submit/use-reason";
import { TextField } from "@/components/ui/form/text-field";
import { DialogSection } from "@/components/ui/overlay/dialog";
import type { Run } from "@/lib/api/contract/run";
import { useUnmask } from "@/lib/api/hooks/act-hooks";

interface UnmaskDialogProps {
  runId: string;
  onShow: (run: Run) => void;
  onClose: () => void;
}

/** Unmasking is an action: it has a reason and a row in the audit log. */
export function UnmaskDialog({ runId, onShow, onClose }: UnmaskDialogProps) {
  const reason = useReason(SAY_WHY);
  const act = useAct(useUnmask(runId), onShow);
  return (
    <ActDialog
      title="Show masked values"
      description="Visible only to you until you leave. This access is logged."
      submit="Show masked values"
      pending={act.pending}
      error={act.error}
      onSubmit={() => reason.check() && act.submit({ request: { reason: reason.text } })}
      onClose={onClose}
    >
      <DialogSection>
        <TextField {...reason.field} placeholder="The customer asked us to check" />
      </DialogSection>
    </ActDialog>
  );
}
