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
  channel: string;
  runbook: string;
  events: readonly string[];
  workflows: string;
  perMinute: string;
}

const NOTHING_YET: Chosen = {
  name: "",
  place: "",
  channel: "",
  runbook: "",
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
            { value: "slack", text: "Slack", note: "A thread per problem, by an app's token." },
            { value: "teams", text: "Microsoft Teams", note: "A card, by a workflow's address." },
            { value: "pagerduty", text: "PagerDuty", note: "An alert that resolves when it is over." },
            { value: "opsgenie", text: "Opsgenie", note: "An alert that closes when it is over." },
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
  const { id, name, kind, url, addresses, channel, runbook, events, workflows, perMinute, revision } = destination;
  const place = url ?? (addresses ?? []).join(", ");
  const form = useForm(
    {
      name,
      place,
      channel: channel ?? "",
      runbook: runbook ?? "",
      events,
      workflows: workflows?.join(", ") ?? "",
      perMinute: String(perMinute),
    },
    kind,
    true,
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
        <Fields form={form} kind={kind} isKept />
      </DialogSection>
    </ActDialog>
  );
}

/** @param isKept the destination has a token, which stays unless another is entered */
function useForm(first: Chosen, kind: Kind, isKept = false) {
  const name = useReason("Enter a name.", first.name);
  const place = useReason(kind === "email" ? "Enter an address." : "Enter a URL.", first.place);
  const channel = useReason("Enter a channel.", first.channel);
  const runbook = useReason("", first.runbook);
  const token = useReason("Enter a token or key.", "");
  const perMinute = useReason("Enter a number from 1 to 600.", first.perMinute);
  const reason = useReason(SAY_WHY);
  const [events, setEvents] = useState<readonly string[]>(first.events);
  const [workflows, setWorkflows] = useState(first.workflows);
  const [tried, setTried] = useState(false);
  const needed = {
    webhook: [place],
    teams: [place],
    email: [place],
    slack: [channel, ...(isKept ? [] : [token])],
    pagerduty: isKept ? [] : [token],
    opsgenie: isKept ? [] : [token],
  }[kind];
  return {
    fields: { name, place, channel, token, runbook, perMinute, reason, events, setEvents, workflows, setWorkflows },
    eventsError: tried && events.length === 0 ? "Choose at least one." : undefined,
    check: () => {
      setTried(true);
      return [name, ...needed, perMinute, reason].map((field) => field.check()).every(Boolean) && events.length > 0;
    },
    request: () => ({
      name: name.text,
      url: kind === "email" || place.text === "" ? null : place.text,
      addresses: kind === "email" ? addressesOf(place.text) : null,
      channel: kind === "slack" ? channel.text : null,
      runbook: runbook.text === "" ? null : runbook.text,
      token: hasToken(kind) && token.text !== "" ? token.text : null,
      events: events as (typeof NOTICES)[number]["kind"][],
      workflows: workflowsOf(workflows),
      perMinute: Number(perMinute.text),
      reason: reason.text,
    }),
  };
}

const addressesOf = (text: string): string[] => text.split(/[\s,;]+/).filter((address) => address !== "");

function Fields({ form, kind, isKept = false }: { form: ReturnType<typeof useForm>; kind: Kind; isKept?: boolean }) {
  const { name, runbook, perMinute, reason, events, setEvents, workflows, setWorkflows } = form.fields;
  return (
    <>
      <TextField {...name.field} label="Name" maxLength={100} placeholder="On call" />
      <PlaceFields form={form} kind={kind} isKept={isKept} />
      <EventsField value={events} onChange={setEvents} error={form.eventsError} />
      <WorkflowsField value={workflows} onChange={setWorkflows} />
      <TextField
        {...perMinute.field}
        label="Messages per minute, at most"
        inputMode="numeric"
        className="md:w-60"
        hint="Above that, notifications are combined into one message."
      />
      <TextField
        {...runbook.field}
        {...OPTIONAL}
        label="Runbook (optional)"
        mono
        placeholder="https://wiki.example.com/handrail/{event}"
        hint="Your page on what to do, linked in each message; {event} and {workflow} are replaced."
      />
      <TextField {...reason.field} />
    </>
  );
}

const hasToken = (kind: Kind) => kind === "slack" || kind === "pagerduty" || kind === "opsgenie";

const TOKEN_FIELDS = {
  slack: {
    label: "Token",
    placeholder: "xoxb-…",
    hint: "Of an app with the scope chat:write, invited to the channel.",
  },
  pagerduty: { label: "Integration key", placeholder: "32 characters", hint: "Of an integration of Events API v2." },
  opsgenie: { label: "API key", placeholder: "eb243592-…", hint: "Of an integration of type API." },
} as const;

const PLACES = {
  webhook: {
    label: "Address",
    placeholder: "https://hooks.example.com/handrail",
    hint: "https only, public addresses; for an internal network set HANDRAIL_INTERNAL_RECEIVERS.",
  },
  teams: {
    label: "Address",
    placeholder: "https://….logic.azure.com/workflows/…",
    hint: "Of a Teams workflow that begins when a webhook request is received and posts a card.",
  },
  slack: {
    label: "Address (optional)",
    placeholder: "https://slack.com/api",
    hint: "Only for GovSlack or a proxy of yours.",
  },
  pagerduty: {
    label: "Address (optional)",
    placeholder: "https://events.pagerduty.com",
    hint: "In the EU: https://events.eu.pagerduty.com",
  },
  opsgenie: {
    label: "Address (optional)",
    placeholder: "https://api.opsgenie.com",
    hint: "In the EU: https://api.eu.opsgenie.com",
  },
} as const;

const OPTIONAL = { required: false, error: undefined };

/** Where messages go, and what lets them in there. */
function PlaceFields({ form, kind, isKept }: { form: ReturnType<typeof useForm>; kind: Kind; isKept: boolean }) {
  const { place, channel, token } = form.fields;
  if (kind === "email")
    return (
      <TextField
        {...place.field}
        label="Addresses"
        mono
        placeholder="oncall@example.com"
        hint="Up to 20, separated by commas; recipients see each other."
      />
    );
  const tokenField = kind in TOKEN_FIELDS ? TOKEN_FIELDS[kind as keyof typeof TOKEN_FIELDS] : null;
  return (
    <>
      {kind === "slack" && (
        <TextField
          {...channel.field}
          label="Channel"
          mono
          placeholder="C0123456789"
          hint="Its id, at the end of the channel's details."
        />
      )}
      {tokenField && (
        <TextField
          {...token.field}
          {...tokenField}
          {...(isKept && OPTIONAL)}
          type="password"
          autoComplete="off"
          mono
          hint={isKept ? "Empty: the present one stays. It is not shown." : tokenField.hint}
        />
      )}
      <TextField {...place.field} {...PLACES[kind]} {...(tokenField && OPTIONAL)} type="url" mono />
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
