"use client";

import { Instant } from "@/components/parts/time/instant";
import { Button } from "@/components/ui/button";
import { useDialogUrl } from "@/components/ui/overlay/use-dialog-url";
import { useRevokeSession, useSessions } from "@/lib/api/hooks/access-hooks";
import { AccessItem, AccessList } from "./access-list";
import { browserWords } from "./browser-words";
import { RevokeDialog } from "./revoke-dialog";

export function SessionsCard({ everybodys }: { everybodys: boolean }) {
  const { data, error, refetch } = useSessions();
  const { open, of, show, close } = useDialogUrl(["end"]);
  const ending = open && data?.sessions.find(({ id }) => id === of);
  const revoke = useRevokeSession();
  return (
    <>
      <AccessList
        title={everybodys ? "Sessions" : "Your sessions"}
        query={{ data: data?.sessions, error, refetch }}
        empty="No one is signed in."
        keyOf={({ id }) => id}
      >
        {(session) => (
          <>
            <AccessItem name={session.current ? `${session.name} — this one` : session.name}>
              since <Instant at={session.createdAt} />, last seen <Instant at={session.seenAt} as="relative" />
              {session.address && `, from ${session.address}`}
              {session.userAgent && <span title={session.userAgent}> · {browserWords(session.userAgent)}</span>}
            </AccessItem>
            {!session.current && (
              <Button
                size="small"
                aria-label={`End the session of ${session.name}`}
                onClick={() => show("end", {}, session.id)}
              >
                End…
              </Button>
            )}
          </>
        )}
      </AccessList>
      {ending && (
        <RevokeDialog
          id={ending.id}
          title={`End the session of ${ending.name}`}
          description="Ends with its next request. The user can sign in again with the password."
          submit="End the session"
          done="Session ended"
          mutation={revoke}
          onClose={close}
        />
      )}
    </>
  );
}
