"use client";

import { useState } from "react";
import { workflowsOf } from "@/components/domain/access/workflows-field";
import { ActDialog } from "@/components/parts/submit/act-dialog";
import { useAct } from "@/components/parts/submit/use-act";
import { SAY_WHY, useReason } from "@/components/parts/submit/use-reason";
import { TextField } from "@/components/ui/form/text-field";
import { DialogSection } from "@/components/ui/overlay/dialog";
import { useInvite } from "@/lib/api/hooks/access-hooks";
import { GrantFields, type GrantText } from "./grant-fields";

interface InviteDialogProps {
  onClose: () => void;
  onInvited: (invited: { name: string; secret: string | null }) => void;
}

export function InviteDialog({ onClose, onInvited }: InviteDialogProps) {
  const [grant, setGrant] = useState<GrantText>({ role: "operator", payloadRead: false, workflows: "" });
  const name = useReason("Say what they are called.");
  const reason = useReason(SAY_WHY);
  const act = useAct(useInvite(), onInvited);
  const submit = () => {
    const complete = [name.check(), reason.check()].every(Boolean);
    const request = { ...grant, name: name.text, workflows: workflowsOf(grant.workflows), reason: reason.text };
    if (complete) act.submit({ request });
  };
  return (
    <ActDialog
      title="Invite a person"
      description="Makes a link by which they choose a password. Somebody who is there already gets a new password by it, and what you choose here."
      submit="Make the link"
      pending={act.pending}
      error={act.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <DialogSection className="grid gap-3">
        <TextField {...name.field} label="Name" maxLength={100} autoCapitalize="none" />
        <GrantFields value={grant} onChange={setGrant} />
        <TextField {...reason.field} label="Why (it stands in the audit)" placeholder="Joins the operators" />
      </DialogSection>
    </ActDialog>
  );
}
