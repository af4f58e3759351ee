"use client";

import Link from "next/link";
import { NOTICES } from "@/components/domain/notifications/notice-words";
import { tellReceiver } from "@/components/domain/sandbox/use-sandbox";
import { useAct } from "@/components/parts/submit/use-act";
import { tell, tellRefusal } from "@/components/parts/toasts/tell";
import { Button } from "@/components/ui/button";
import { useWhyNot } from "@/lib/api/hooks/access-hooks";
import { useAddDestination, useDestinations } from "@/lib/api/hooks/destination-hooks";
import { DEFAULT_PER_MINUTE } from "@/lib/engine/notices/notice";

/** A link to the destination that leads to the sandbox, or a button that creates one. */
export function ReceiveHere({ address }: { address: string }) {
  return useWhyNot("destination.manage") === null && <Its address={address} />;
}

function Its({ address }: { address: string }) {
  const { data } = useDestinations();
  const act = useAct(
    useAddDestination(),
    ({ secret }) => {
      if (secret !== null) tellReceiver(secret).then(() => tell("Notifications are sent here"), tellRefusal);
    },
    (error) => tellRefusal(error),
  );
  if (!data) return null;
  const own = data.destinations.find(({ url }) => url === address);
  if (own)
    return (
      <Link href={`/notifications?destination=${own.id}`} className="rounded text-accent hover:underline">
        {own.name}
      </Link>
    );
  const request = {
    ...({ kind: "webhook", name: "Sandbox receiver", url: address, addresses: null, workflows: null } as const),
    events: NOTICES.map(({ kind }) => kind),
    perMinute: DEFAULT_PER_MINUTE,
    reason: "To see what is sent.",
  };
  return (
    <Button size="small" disabled={act.pending} onClick={() => act.submit({ request })}>
      Send notifications here
    </Button>
  );
}
