"use client";

import { useState } from "react";
import { workflowsOf } from "@/components/domain/access/workflows-field";
import { ActDialog } from "@/components/parts/submit/act-dialog";
import { useAct } from "@/components/parts/submit/use-act";
import { SAY_WHY, useReason } from "@/components/parts/submit/use-reason";
import { tell } from "@/components/parts/toasts/tell";
import { Checkbox } from "@/components/ui/form/checkbox";
import { TextField } from "@/components/ui/form/text-field";
import { DialogSection } from "@/components/ui/overlay/dialog";
import type { PersonListResponse } from "@/lib/api/contract/access";
import { useChangePerson } from "@/lib/api/hooks/access-hooks";
import { GrantFields, type GrantText } from "./grant-fields";

export type Person = PersonListResponse["people"][number];

export function ChangePersonDialog({ person, onClose }: { person: Person; onClose: () => void }) {
  const { id, name, role, payloadRead, workflows } = person;
  const [grant, setGrant] = useState<GrantText>({ role, payloadRead, workflows: workflows?.join(", ") ?? "" });
  const [disabled, setDisabled] = useState(person.disabledAt !== null);
  const reason = useReason(SAY_WHY);
  const act = useAct(useChangePerson(), () => {
    tell(`${name} is updated`);
    onClose();
  });
  const submit = () => {
    const request = { ...grant, workflows: workflowsOf(grant.workflows), disabled, reason: reason.text };
    if (reason.check()) act.submit({ id, request });
  };
  return (
    <ActDialog
      title={`Change the access of ${name}`}
      description="Takes effect with their next request."
      submit="Change"
      pending={act.pending}
      error={act.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <DialogSection className="grid gap-3">
        <GrantFields value={grant} onChange={setGrant} />
        <Checkbox
          checked={disabled}
          onChange={setDisabled}
          label="Block sign-in"
          hint="Ends their sessions; they cannot sign in."
        />
        <TextField {...reason.field} />
      </DialogSection>
    </ActDialog>
  );
}
