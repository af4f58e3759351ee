import type { Look } from "@/components/parts/status/look";
import type { Delivery, Destination } from "@/lib/api/contract/destinations";
import type { NoticeKind } from "@/lib/engine/notices/notice";

/** The events with their meaning, in the order of choice. */
export const NOTICES = [
  { kind: "problem.opened", name: "A problem opens", hint: "Runs start to fail with a new error." },
  { kind: "problem.came_back", name: "A problem reopens", hint: "After it was resolved, repaired or muted." },
  { kind: "compensation.owed", name: "A manual compensation is pending" },
  { kind: "compensation.failed", name: "An automatic compensation has failed" },
  { kind: "approval.waiting", name: "A run waits for an answer" },
  { kind: "plan.waiting", name: "A plan waits for a second approver" },
  { kind: "operation.paused", name: "An operation pauses itself" },
  {
    kind: "destination.switched_off",
    name: "Another destination is switched off",
    hint: "All deliveries have failed for days.",
  },
  { kind: "alert.fired", name: "An alert rule fires", hint: "Chat and paging services also learn how it goes on." },
  { kind: "alert.acknowledged", name: "An alert is acknowledged", hint: "For webhooks and e-mail." },
  { kind: "alert.resolved", name: "An alert is over", hint: "For webhooks and e-mail." },
] as const satisfies readonly { kind: NoticeKind; name: string; hint?: string }[];

export const KIND_NAMES: Record<Destination["kind"], string> = {
  webhook: "Webhook",
  email: "E-mail",
  slack: "Slack",
  pagerduty: "PagerDuty",
  opsgenie: "Opsgenie",
  teams: "Microsoft Teams",
};

export const eventWords = ({ events }: Pick<Destination, "events">): string =>
  events.length === NOTICES.length ? "everything" : `${events.length} of ${NOTICES.length} kinds`;

/** Where it leads, shortened: of Slack the channel, of other addresses the host, of mail the first address. */
export function placeOf({ url, addresses, channel }: Pick<Destination, "url" | "addresses" | "channel">): string {
  if (channel !== null) return channel;
  if (url !== null) return new URL(url).host;
  const [first = "", ...others] = addresses ?? [];
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

const DELIVERY_LOOKS = {
  gathering: { shape: "clock", word: "Held", tone: "quiet" },
  sending: { shape: "running", word: "Sending", tone: "blue" },
  delivered: { shape: "check", word: "Delivered", tone: "green" },
  failed: { shape: "octagon", word: "Failed", tone: "red" },
} as const satisfies Record<Delivery["status"], Look>;

/** A failed delivery that waits for its next attempt is in progress, too. */
export const RETRYING: Look = { shape: "loop", word: "Retrying", tone: "amber" };

export const lookOf = ({ status, nextAttemptAt }: Pick<Delivery, "status" | "nextAttemptAt">): Look =>
  status === "sending" && nextAttemptAt !== null ? RETRYING : DELIVERY_LOOKS[status];

export function destinationLook({ enabled, disabledBecause, failingSince }: Destination): Look {
  if (disabledBecause !== null) return { shape: "octagon", word: "Switched off automatically", tone: "red" };
  if (!enabled) return { shape: "slash", word: "Off", tone: "quiet" };
  return failingSince === null
    ? { shape: "check", word: "On", tone: "green" }
    : { shape: "loop", word: "Failing", tone: "amber" };
}
