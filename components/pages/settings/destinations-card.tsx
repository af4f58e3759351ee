"use client";

import { parseAsString, useQueryState } from "nuqs";
import { useState } from "react";
import { workflowWords } from "@/components/domain/access/workflows-field";
import { destinationLook, eventWords, KIND_NAMES, placeOf } from "@/components/domain/notifications/notice-words";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Button } from "@/components/ui/button";
import type { Destination } from "@/lib/api/contract/destinations";
import { useDestinations } from "@/lib/api/hooks/destination-hooks";
import { AccessItem, AccessList } from "./access-list";
import { DestinationDialog } from "./destination-dialog";
import { DestinationSheet } from "./destination-sheet";
import { ShownOnce } from "./shown-once";

/** Destinations that are notified when something needs attention. The open one is in the URL. */
export function DestinationsCard() {
  const { data, error, refetch } = useDestinations();
  const [openId, setOpenId] = useQueryState("destination", parseAsString);
  const [adding, setAdding] = useState(false);
  const [secret, setSecret] = useState<Secret | null>(null);
  const open = data?.destinations.find(({ id }) => id === openId);
  return (
    <>
      <AccessList
        title="Notifications"
        query={{ data: data?.destinations, error, refetch }}
        empty="No notifications are sent yet. Add a webhook, an e-mail address, or a chat or paging service."
        action={
          <Button size="small" onClick={() => setAdding(true)}>
            Add a destination…
          </Button>
        }
        keyOf={({ id }) => id}
      >
        {(destination) => <DestinationItem destination={destination} onOpen={() => void setOpenId(destination.id)} />}
      </AccessList>
      {adding && (
        <DestinationDialog
          mail={data?.mail ?? false}
          onClose={() => setAdding(false)}
          onDone={({ destination, secret: newSecret }) => {
            setAdding(false);
            if (destination.kind === "webhook") setSecret({ name: destination.name, secret: newSecret });
          }}
        />
      )}
      {open && (
        <DestinationSheet
          destination={open}
          onSecret={(newSecret) => setSecret({ name: open.name, secret: newSecret })}
          onClose={() => void setOpenId(null)}
        />
      )}
      {secret && (
        <ShownOnce
          title={`The signing secret of ${secret.name}`}
          note="The receiver uses it to verify that a message comes from Handrail. It cannot be shown again."
          secret={secret.secret}
          what="the secret"
          onClose={() => setSecret(null)}
        />
      )}
    </>
  );
}

interface Secret {
  name: string;
  secret: string | null;
}

function DestinationItem({ destination, onOpen }: { destination: Destination; onOpen: () => void }) {
  const { name, kind, workflows } = destination;
  return (
    <>
      <AccessItem name={name}>
        {KIND_NAMES[kind]} to {placeOf(destination)}: {eventWords(destination)}, {workflowWords(workflows)}
      </AccessItem>
      <StatusLabel look={destinationLook(destination)} />
      <Button size="small" aria-label={`Open ${name}`} onClick={onOpen}>
        Open
      </Button>
    </>
  );
}
