"use client";

import { useState } from "react";
import { workflowWords } from "@/components/domain/access/workflows-field";
import { Button } from "@/components/ui/button";
import { useDialogUrl } from "@/components/ui/overlay/use-dialog-url";
import { usePeople } from "@/lib/api/hooks/access-hooks";
import { AccessItem, AccessList } from "./access-list";
import { ChangePersonDialog } from "./change-person-dialog";
import { InviteDialog } from "./invite-dialog";
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
