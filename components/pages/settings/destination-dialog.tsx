"use client";

import { useState } from "react";
import { WorkflowsField, workflowsOf } from "@/components/domain/access/workflows-field";
import { NOTICES } from "@/components/domain/notifications/notice-words";
import { ActDialog } from "@/components/parts/submit/act-dialog";
import { useAct } from "@/components/parts/submit/use-act";
import { SAY_WHY, useReason } from "@/components/parts/submit/use-reason";
import { tell } from "@/components/parts/toasts/tell";
import { Checkbox } from "@/components/ui/form/checkbox";
import { ChoiceCards } from "@/components/ui/form/choice-cards";
import { TextField } from "@/components/ui/form/text-field";
import { DialogSection } from "@/components/ui/overlay/dialog";
import type { Destination, DestinationSecretResponse } from "@/lib/api/contract/destinations";
import { useAddDestination, useChangeDestination } from "@/lib/api/hooks/destination-hooks";
import { DEFAULT_PER_MINUTE } from "@/lib/engine/notices/notice";

type Kind = Destination["kind"];

interface Chosen {
  name: string;
  place: string;
  events: readonly string[];
  workflows: string;
  perMinute: string;
}

const NOTHING_YET: Chosen = {
  name: "",
  place: "",
  events: NOTICES.map(({ kind }) => kind),
  workflows: "",
  perMinute: String(DEFAULT_PER_MINUTE),
};

interface AddProps {
  /** Whether mail is configured. */
  mail: boolean;
  onDone: (answer: DestinationSecretResponse) => void;
  onClose: () => void;
}

export function DestinationDialog({ mail, onDone, onClose }: AddProps) {
  const [kind, setKind] = useState<Kind>("webhook");
  const form = useForm(NOTHING_YET, kind);
  const act = useAct(useAddDestination(), onDone);
  return (
    <ActDialog
      title="Add a destination"
      description="Notified when something needs attention: names, a sentence and a link, without payload."
      submit="Add destination"
      pending={act.pending}
      error={act.error}
      onSubmit={() => form.check() && act.submit({ request: { kind, ...form.request() } })}
      onClose={onClose}
    >
      <DialogSection className="grid gap-3">
        <ChoiceCards
          label="Kind"
          value={kind}
          onChange={setKind}
          choices={[
            { value: "webhook", text: "Webhook", note: "A signed request to your web service." },
            {
              value: "email",
              text: "E-mail",
              closed: !mail,
              note: mail ? "Plain text to a few addresses." : "E-mail is not configured: set HANDRAIL_SMTP_URL.",
            },
          ]}
          className="md:grid-cols-2"
        />
        <Fields form={form} kind={kind} />
      </DialogSection>
    </ActDialog>
  );
}

interface ChangeProps {
  destination: Destination;
  onClose: () => void;
}

export function ChangeDestinationDialog({ destination, onClose }: ChangeProps) {
  const { id, name, kind, url, addresses, events, workflows, perMinute, revision } = destination;
  const place = url ?? (addresses ?? []).join(", ");
  const form = useForm(
    { name, place, events, workflows: workflows?.join(", ") ?? "", perMinute: String(perMinute) },
    kind,
  );
  const [enabled, setEnabled] = useState(destination.enabled);
  const act = useAct(useChangeDestination(), () => {
    tell(`${name} is updated`);
    onClose();
  });
  return (
    <ActDialog
      title={`Change ${name}`}
      description="Applies to messages sent from now on."
      submit="Save changes"
      pending={act.pending}
      error={act.error}
      onSubmit={() => form.check() && act.submit({ id, request: { ...form.request(), enabled, revision } })}
      onClose={onClose}
    >
      <DialogSection className="grid gap-3">
        <Checkbox
          checked={enabled}
          onChange={setEnabled}
          label="Switched on"
          hint="While off, nothing is sent or kept for later."
        />
        <Fields form={form} kind={kind} />
      </DialogSection>
    </ActDialog>
  );
}

function useForm(first: Chosen, kind: Kind) {
  const name = useReason("Enter a name.", first.name);
  const place = useReason(kind === "webhook" ? "Enter a URL." : "Enter an address.", first.place);
  const perMinute = useReason("Enter a number from 1 to 600.", first.perMinute);
  const reason = useReason(SAY_WHY);
  const [events, setEvents] = useState<readonly string[]>(first.events);
  const [workflows, setWorkflows] = useState(first.workflows);
  const [tried, setTried] = useState(false);
  return {
    fields: { name, place, perMinute, reason, events, setEvents, workflows, setWorkflows },
    eventsError: tried && events.length === 0 ? "Choose at least one." : undefined,
    check: () => {
      setTried(true);
      return [name, place, perMinute, reason].map((field) => field.check()).every(Boolean) && events.length > 0;
    },
    request: () => ({
      name: name.text,
      url: kind === "webhook" ? place.text : null,
      addresses: kind === "email" ? addressesOf(place.text) : null,
      events: events as (typeof NOTICES)[number]["kind"][],
      workflows: workflowsOf(workflows),
      perMinute: Number(perMinute.text),
      reason: reason.text,
    }),
  };
}

const addressesOf = (text: string): string[] => text.split(/[\s,;]+/).filter((address) => address !== "");

function Fields({ form, kind }: { form: ReturnType<typeof useForm>; kind: Kind }) {
  const { name, place, perMinute, reason, events, setEvents, workflows, setWorkflows } = form.fields;
  return (
    <>
      <TextField {...name.field} label="Name" maxLength={100} placeholder="On call" />
      {kind === "webhook" ? (
        <TextField
          {...place.field}
          label="Address"
          type="url"
          mono
          placeholder="https://hooks.example.com/handrail"
          hint="https only, public addresses; for an internal network set HANDRAIL_INTERNAL_RECEIVERS."
        />
      ) : (
        <TextField
          {...place.field}
          label="Addresses"
          mono
          placeholder="oncall@example.com"
          hint="Up to 20, separated by commas; recipients see each other."
        />
      )}
      <EventsField value={events} onChange={setEvents} error={form.eventsError} />
      <WorkflowsField value={workflows} onChange={setWorkflows} />
      <TextField
        {...perMinute.field}
        label="Messages per minute, at most"
        inputMode="numeric"
        className="md:w-60"
        hint="Above that, notifications are combined into one message."
      />
      <TextField {...reason.field} />
    </>
  );
}

interface EventsFieldProps {
  value: readonly string[];
  onChange: (events: readonly string[]) => void;
  error: string | undefined;
}

/** The events of a destination, in the order in which they are offered. */
function EventsField({ value, onChange, error }: EventsFieldProps) {
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 font-medium">Notify when</legend>
      {NOTICES.map((notice) => (
        <Checkbox
          key={notice.kind}
          checked={value.includes(notice.kind)}
          onChange={(checked) =>
            onChange(
              NOTICES.map(({ kind }) => kind).filter((kind) => (kind === notice.kind ? checked : value.includes(kind))),
            )
          }
          label={notice.name}
          hint={"hint" in notice ? notice.hint : undefined}
        />
      ))}
      {error && (
        <p role="alert" className="text-red text-small">
          {error}
        </p>
      )}
    </fieldset>
  );
}
