"use client";

import type { UseMutationResult } from "@tanstack/react-query";
import { useState } from "react";
import { workflowWords } from "@/components/domain/access/workflows-field";
import { destinationLook, KIND_NAMES, NOTICES } from "@/components/domain/notifications/notice-words";
import { StatusLabel } from "@/components/parts/status/status-label";
import { ActDialog } from "@/components/parts/submit/act-dialog";
import { ActError } from "@/components/parts/submit/act-error";
import { useAct } from "@/components/parts/submit/use-act";
import { SAY_WHY, useReason } from "@/components/parts/submit/use-reason";
import { Instant } from "@/components/parts/time/instant";
import { tell } from "@/components/parts/toasts/tell";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/feedback/callout";
import { TextField } from "@/components/ui/form/text-field";
import { Fact, Facts } from "@/components/ui/layout/facts";
import { DialogSection } from "@/components/ui/overlay/dialog";
import { Sheet } from "@/components/ui/overlay/sheet";
import type { ApiError, Sent } from "@/lib/api/client/client";
import type { Destination, DestinationActRequest } from "@/lib/api/contract/destinations";
import { useRemoveDestination, useRotateSecret, useTestDestination } from "@/lib/api/hooks/destination-hooks";
import { DeliveryList } from "./delivery-list";
import { ChangeDestinationDialog } from "./destination-dialog";

interface DestinationSheetProps {
  destination: Destination;
  onSecret: (secret: string | null) => void;
  onClose: () => void;
}

/** One destination: its events, its health, and each message with its attempts. */
export function DestinationSheet({ destination, onSecret, onClose }: DestinationSheetProps) {
  const [dialog, setDialog] = useState<"change" | "rotate" | "remove" | null>(null);
  const close = () => setDialog(null);
  return (
    <Sheet open onClose={onClose} title={destination.name}>
      <div className="grid gap-4 p-4">
        <State destination={destination} />
        <About destination={destination} />
        <Acts destination={destination} onAct={setDialog} />
      </div>
      <DeliveryList destination={destination} />
      {dialog === "change" && <ChangeDestinationDialog destination={destination} onClose={close} />}
      {dialog === "rotate" && <Rotate destination={destination} onSecret={onSecret} onClose={close} />}
      {dialog === "remove" && <Remove destination={destination} onGone={onClose} onClose={close} />}
    </Sheet>
  );
}

function State({ destination }: { destination: Destination }) {
  const { disabledBecause, failingSince, enabled } = destination;
  if (disabledBecause !== null)
    return (
      <Callout tone="red" title="Switched off automatically">
        <p className="text-ink-2">
          {disabledBecause} Repair the receiver, then switch it on; or confirm that it stays off to hide this warning.
        </p>
      </Callout>
    );
  if (enabled && failingSince !== null)
    return (
      <Callout tone="amber" title="Deliveries fail">
        <p className="text-ink-2">
          Since <Instant at={failingSince} />. Switched off automatically after three days.
        </p>
      </Callout>
    );
  return <StatusLabel look={destinationLook(destination)} />;
}

function About({ destination }: { destination: Destination }) {
  const {
    kind,
    url,
    addresses,
    channel,
    runbook,
    events,
    workflows,
    perMinute,
    previousSecretUntil,
    createdBy,
    createdAt,
  } = destination;
  const names = NOTICES.filter(({ kind: one }) => events.includes(one)).map(({ name }) => name);
  return (
    <Facts>
      {channel !== null && <Fact name="Channel">{channel}</Fact>}
      <Fact name={KIND_NAMES[kind]}>
        <span className="break-all font-mono text-small">{url ?? addresses?.join(", ")}</span>
      </Fact>
      <Fact name="Events">{names.length === NOTICES.length ? "Anything that needs attention" : names.join("; ")}</Fact>
      <Fact name="Workflows">{workflowWords(workflows)}</Fact>
      {runbook !== null && (
        <Fact name="Runbook">
          <span className="break-all font-mono text-small">{runbook}</span>
        </Fact>
      )}
      <Fact name="At most">{perMinute} per minute</Fact>
      {previousSecretUntil && (
        <Fact name="Secrets">
          Two: the previous one is valid until <Instant at={previousSecretUntil} />
        </Fact>
      )}
      <Fact name="Added">
        by {createdBy}, <Instant at={createdAt} />
      </Fact>
    </Facts>
  );
}

function Acts({
  destination,
  onAct,
}: {
  destination: Destination;
  onAct: (act: "change" | "rotate" | "remove") => void;
}) {
  const { id, name, kind, enabled } = destination;
  const test = useAct(useTestDestination(), () => tell(`Test queued for ${name}`));
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap gap-2">
        <Button
          variant="primary"
          disabled={!enabled || test.pending}
          title={enabled ? undefined : "The destination is switched off."}
          onClick={() => test.submit({ id, request: {} })}
        >
          Send a test
        </Button>
        <Button onClick={() => onAct("change")}>Change…</Button>
        {kind === "webhook" && <Button onClick={() => onAct("rotate")}>New secret…</Button>}
        <Button onClick={() => onAct("remove")}>Remove…</Button>
      </div>
      {test.error && <ActError error={test.error} />}
    </div>
  );
}

interface Of {
  destination: Destination;
  onClose: () => void;
}

function Rotate({ destination, onSecret, onClose }: Of & { onSecret: (secret: string | null) => void }) {
  return (
    <ConfirmOnDestination
      destination={destination}
      title={`A new secret for ${destination.name}`}
      description="For a day, messages are signed with both: update the receiver in that time."
      submit="Rotate secret"
      mutation={useRotateSecret()}
      onDone={({ secret }) => {
        onClose();
        onSecret(secret);
      }}
      onClose={onClose}
    />
  );
}

function Remove({ destination, onGone, onClose }: Of & { onGone: () => void }) {
  const { name } = destination;
  return (
    <ConfirmOnDestination
      destination={destination}
      title={`Remove ${name}`}
      description="Also deletes its history. Pending messages are not sent."
      submit="Remove destination"
      tone="danger"
      mutation={useRemoveDestination()}
      onDone={() => {
        tell(`${name} is removed`);
        onGone();
      }}
      onClose={onClose}
    />
  );
}

interface ConfirmProps<Answer> {
  destination: Destination;
  title: string;
  description: string;
  submit: string;
  tone?: "primary" | "danger";
  mutation: UseMutationResult<Answer, ApiError, Sent<DestinationActRequest> & { id: string }>;
  onDone: (answer: Answer) => void;
  onClose: () => void;
}

/** An action on a destination as it was displayed, with its reason. */
function ConfirmOnDestination<Answer>({ destination, mutation, onDone, ...frame }: ConfirmProps<Answer>) {
  const { id, revision } = destination;
  const reason = useReason(SAY_WHY);
  const act = useAct(mutation, onDone);
  return (
    <ActDialog
      {...frame}
      pending={act.pending}
      error={act.error}
      onSubmit={() => reason.check() && act.submit({ id, request: { revision, reason: reason.text } })}
    >
      <DialogSection>
        <TextField {...reason.field} />
      </DialogSection>
    </ActDialog>
  );
}
