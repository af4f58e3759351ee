"use client";

import { useState } from "react";
import { workflowsOf, workflowWords } from "@/components/domain/access/workflows-field";
import { ActDialog } from "@/components/parts/submit/act-dialog";
import { useAct } from "@/components/parts/submit/use-act";
import { SAY_WHY, useReason } from "@/components/parts/submit/use-reason";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/form/text-field";
import { DialogSection } from "@/components/ui/overlay/dialog";
import { useDialogUrl } from "@/components/ui/overlay/use-dialog-url";
import { useInvite, usePeople } from "@/lib/api/hooks/access-hooks";
import { AccessItem, AccessList } from "./access-list";
import { ChangePersonDialog } from "./change-person-dialog";
import { GrantFields, type GrantText } from "./grant-fields";
import { ShownOnce } from "./shown-once";

export function PeopleCard() {
  const { data, error, refetch } = usePeople();
  const { open, of, show, close } = useDialogUrl(["invite", "change"]);
  const changing = open === "change" && data?.people.find(({ id }) => id === of);
  const [invited, setInvited] = useState<{ name: string; secret: string | null } | null>(null);
  return (
    <>
      <AccessList
        title="People"
        query={{ data: data?.people, error, refetch }}
        empty="No users yet."
        action={
          <Button size="small" onClick={() => show("invite")}>
            Invite…
          </Button>
        }
        keyOf={({ id }) => id}
      >
        {(person) => (
          <>
            <AccessItem name={person.name}>
              {person.disabledAt ? "blocked" : person.role}, {workflowWords(person.workflows)}
              {person.payloadRead && ", sees masked values"}
            </AccessItem>
            <Button size="small" aria-label={`Change ${person.name}`} onClick={() => show("change", {}, person.id)}>
              Change…
            </Button>
          </>
        )}
      </AccessList>
      {changing && <ChangePersonDialog person={changing} onClose={close} />}
      {open === "invite" && (
        <InviteDialog
          onClose={close}
          onInvited={(invitation) => {
            close();
            setInvited(invitation);
          }}
        />
      )}
      {invited && (
        <ShownOnce
          title={`The link for ${invited.name}`}
          note="Works once, within three days. Keep it private: the person who opens it sets the password."
          secret={invited.secret && `${location.origin}/set-up#${invited.secret}`}
          what="the link"
          onClose={() => setInvited(null)}
        />
      )}
    </>
  );
}

interface InviteDialogProps {
  onClose: () => void;
  onInvited: (invited: { name: string; secret: string | null }) => void;
}

function InviteDialog({ onClose, onInvited }: InviteDialogProps) {
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
