"use client";

import { Instant } from "@/components/parts/time/instant";
import { Button } from "@/components/ui/button";
import { useDialogUrl } from "@/components/ui/overlay/use-dialog-url";
import { useRevokeSession, useSessions } from "@/lib/api/hooks/access-hooks";
import { AccessItem, AccessList } from "./access-list";
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
            <AccessItem name={session.current ? `${session.name} (this session)` : session.name}>
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

const BROWSERS: [name: string, sign: RegExp][] = [
  ["Edge", /\bEdgA?\//],
  ["Opera", /\bOPR\//],
  ["Firefox", /\b(?:Firefox|FxiOS)\//],
  ["Chrome", /\b(?:Headless)?(?:Chrome|CriOS)\//],
  ["Safari", /\bVersion\/[\d.]+.* Safari\//],
];
const SYSTEMS: [name: string, sign: RegExp][] = [
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Android", /\bAndroid\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMac OS X\b/],
  ["Linux", /\bLinux\b/],
];

/** "Firefox on macOS", so that users recognize their own sessions; an unknown user agent is shown as it is. */
export function browserWords(userAgent: string): string {
  const named = (table: [string, RegExp][]) => table.find(([, sign]) => sign.test(userAgent))?.[0];
  const [browser, system] = [named(BROWSERS), named(SYSTEMS)];
  if (browser === undefined) return userAgent;
  return system === undefined ? browser : `${browser} on ${system}`;
}
