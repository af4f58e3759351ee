import { hmacSha256Base64 } from "../digest";
import { type NoticeEvent, SHOWN_EVENTS } from "./notice";

/* What is sent, signed according to Standard Webhooks (https://www.standardwebhooks.com), and when it is retried. */

/** Crash points of a delivering process: tests enumerate them. */
export const DELIVERY_POINTS = ["delivery:before-send", "delivery:after-send", "delivery:after-record"] as const;
export type DeliveryPoint = (typeof DELIVERY_POINTS)[number];

/** How long deliveries are kept. */
export const DELIVERIES_KEPT_MS = 30 * 86_400_000;
/**
 * A destination that has accepted nothing for this long is disabled, if a message's retries are exhausted or attempts failed on
 * as many different days.
 */
export const SWITCHED_OFF_AFTER_MS = 3 * 86_400_000;
/** After a rotation, messages are also signed with the previous secret for this long. */
export const PREVIOUS_SECRET_MS = 86_400_000;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Delays after each failed attempt of a round; after the last one the round ends. 30 hours in all. */
export const RETRY_DELAYS_MS = [5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 12 * HOUR];
/** Largest random addition, as a share of the delay, so that deliveries that failed together do not retry together. */
const JITTER = 0.1;

/**
 * Milliseconds until the next attempt; null: retries exhausted.
 * @param failed failed attempts of this round, this one included
 * @param askedForMs the delay that the destination requested, capped at the longest of these delays
 * @param random a number from 0 to 1
 */
export function retryAfter(failed: number, askedForMs: number, random: number): number | null {
  const own = RETRY_DELAYS_MS[failed - 1];
  if (own === undefined) return null;
  const longest = RETRY_DELAYS_MS.at(-1) as number;
  return Math.round(Math.max(own * (1 + JITTER * random), Math.min(askedForMs, longest)));
}

export interface Message {
  type: string;
  timestamp: string;
  data: object;
}

/**
 * @param origin of the console, without a trailing slash
 * @param count of all events; `events` holds the first few
 */
export function messageOf(events: readonly NoticeEvent[], count: number, origin: string): Message {
  const [first] = events;
  if (!first) throw new Error("A message needs at least one event.");
  const linked = events.map((event) => ({ ...event, url: origin + pathOf(event) }));
  const [only] = linked;
  if (count === 1 && only) {
    const { type, at, ...data } = only;
    return { type, timestamp: at, data };
  }
  return {
    type: "digest",
    timestamp: first.at,
    data: { sentence: headline(events, count), count, more: count - linked.length, events: linked, url: `${origin}/` },
  };
}

/** The subject of a mail, and the first line of a digest. */
export function headline([first]: readonly NoticeEvent[], count: number): string {
  const sentence = first?.sentence ?? "";
  return count === 1 ? sentence : `${sentence} – and ${count - 1} more`;
}

/** The console path where a person can see and resolve it. */
export function pathOf({ type, runId, problemId, planId, operationId, ruleId }: NoticeEvent): string {
  if (ruleId !== undefined) return `/alerts?rule=${ruleId}`;
  if (problemId !== null) return `/problems/${problemId}`;
  if (operationId !== null) return `/operations/${operationId}`;
  if (planId !== null || type === "approval.waiting") return "/approvals";
  return runId === null ? "/settings" : `/runs/${runId}`;
}

/** The events that a message includes. */
export const firstOf = (events: readonly NoticeEvent[]): NoticeEvent[] => events.slice(0, SHOWN_EVENTS);

export const SECRET_PREFIX = "whsec_";
const SECRET = /^whsec_([A-Za-z0-9+/]{32,88}={0,2})$/;

/**
 * The header `webhook-signature`: a signature for each secret, any of which is sufficient.
 * @param timestamp in seconds
 */
export const signaturesOf = (secrets: readonly string[], id: string, timestamp: number, body: string): string =>
  secrets.map((secret) => `v1,${hmacSha256Base64(keyOf(secret), `${id}.${timestamp}.${body}`)}`).join(" ");

function keyOf(secret: string): Buffer {
  const encoded = SECRET.exec(secret)?.[1];
  if (encoded === undefined) throw new Error("This is not the secret of a webhook.");
  return Buffer.from(encoded, "base64");
}

/** A message and its destination. */
export interface ToSend {
  /** The delivery's id, by which a destination recognizes duplicates. */
  id: string;
  /** The message, byte for byte. */
  body: string;
  events: readonly NoticeEvent[];
  count: number;
  address: {
    id: string;
    kind: "webhook" | "email";
    url: string | null;
    addresses: readonly string[] | null;
    secrets: readonly string[];
  };
}

export interface Sent {
  /** The destination's response; null if there was none. */
  code: number | null;
  /** Null: the message was accepted. */
  error: string | null;
  /** What is noted with an accepted message, such as that some of its recipients were refused. */
  note?: string;
  retryAfterMs: number;
  /** Retrying cannot succeed. */
  final: boolean;
  /** The destination is gone for good. */
  gone: boolean;
}
