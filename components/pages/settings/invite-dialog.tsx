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
  const name = useReason("Enter a name.");
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
      description="Creates a link to choose a password. For an existing user, it resets the password and applies the access chosen here."
      submit="Create link"
      pending={act.pending}
      error={act.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <DialogSection className="grid gap-3">
        <TextField {...name.field} label="Name" maxLength={100} autoCapitalize="none" />
        <GrantFields value={grant} onChange={setGrant} />
        <TextField {...reason.field} placeholder="Joins the operators" />
      </DialogSection>
    </ActDialog>
  );
}
