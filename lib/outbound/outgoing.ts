import type { Sent, ToSend } from "../engine/notices/delivery";

/** Where chat and paging services take messages, unless a destination names another region or its own proxy. */
export const SERVICE_URLS = {
  slack: "https://slack.com/api",
  pagerduty: "https://events.pagerduty.com",
  opsgenie: "https://api.opsgenie.com",
} as const;

export type Service = "slack" | "pagerduty" | "opsgenie" | "teams";

/** A message and its destination, which may be a chat or paging service. */
export interface Outgoing extends Omit<ToSend, "address"> {
  address: Omit<ToSend["address"], "kind"> & {
    kind: ToSend["address"]["kind"] | Service;
    /** Of Slack. */
    channel?: string | null;
  };
  /** For a service: what the message is about, and the thread that began with its first message. */
  incident?: { key: string; thread: string | null } | null;
}

export interface SentOut extends Sent {
  /** Where answers to this message go, from services with threads. */
  thread?: string | null;
}
