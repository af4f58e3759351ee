import { hmacSha256Base64 } from "../digest";
import { type NoticeEvent, SHOWN_EVENTS } from "./notice";

/*
 * What is sent, signed as Standard Webhooks has it (https://www.standardwebhooks.com), and when it is sent again.
 */

/** Where a process may die that delivers: tests enumerate them. */
export const DELIVERY_POINTS = ["delivery:before-send", "delivery:after-send", "delivery:after-record"] as const;
export type DeliveryPoint = (typeof DELIVERY_POINTS)[number];

/** For how long one may look at what was delivered. */
export const DELIVERIES_KEPT_MS = 30 * 86_400_000;
/** A destination that takes nothing for so long is switched off. */
export const SWITCHED_OFF_AFTER_MS = 3 * 86_400_000;
/** After a rotation, messages are signed with the secret before, too, for so long. */
export const PREVIOUS_SECRET_MS = 86_400_000;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** After each attempt of a round that failed; after the last one nobody tries again by themselves. 30 hours in all. */
export const RETRY_DELAYS_MS = [5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 12 * HOUR];
/** Share that chance adds, so that what failed together does not come back together. */
const JITTER = 0.1;

/**
 * In how many milliseconds to try again; null: not any more.
 * @param failed attempts of this round that came to nothing, this one included
 * @param askedForMs what the receiver asked for, which is heard up to the longest of our own delays
 * @param chance from 0 to 1
 */
export function retryAfter(failed: number, askedForMs: number, chance: number): number | null {
  const own = RETRY_DELAYS_MS[failed - 1];
  if (own === undefined) return null;
  const longest = RETRY_DELAYS_MS.at(-1) as number;
  return Math.round(Math.max(own * (1 + JITTER * chance), Math.min(askedForMs, longest)));
}

export interface Message {
  type: string;
  timestamp: string;
  data: object;
}

/**
 * @param origin of the console, without a slash at its end
 * @param count of all events; `events` holds the first few
 */
export function messageOf(events: readonly NoticeEvent[], count: number, origin: string): Message {
  const [first] = events;
  if (!first) throw new Error("A message tells of something.");
  const told = events.map((event) => ({ ...event, url: origin + pathOf(event) }));
  const [only] = told;
  if (count === 1 && only) {
    const { type, at, ...data } = only;
    return { type, timestamp: at, data };
  }
  return {
    type: "digest",
    timestamp: first.at,
    data: { sentence: headline(events, count), count, more: count - told.length, events: told, url: `${origin}/` },
  };
}

/** The subject of a mail, and what a digest says first. */
export function headline([first]: readonly NoticeEvent[], count: number): string {
  const sentence = first?.sentence ?? "";
  return count === 1 ? sentence : `${sentence} – and ${count - 1} more`;
}

/** Of the console, where one sees it and does something about it. */
export function pathOf({ type, runId, problemId, planId, operationId }: NoticeEvent): string {
  if (problemId !== null) return `/problems/${problemId}`;
  if (operationId !== null) return `/operations/${operationId}`;
  if (planId !== null || type === "approval.waiting") return "/approvals";
  return runId === null ? "/settings" : `/runs/${runId}`;
}

/** What a message keeps of its events. */
export const firstOf = (events: readonly NoticeEvent[]): NoticeEvent[] => events.slice(0, SHOWN_EVENTS);

export const SECRET_PREFIX = "whsec_";
const SECRET = /^whsec_([A-Za-z0-9+/]{32,88}={0,2})$/;

/**
 * The header `webhook-signature`: a signature for each secret, any of which proves it.
 * @param timestamp in seconds
 */
export const signaturesOf = (secrets: readonly string[], id: string, timestamp: number, body: string): string =>
  secrets.map((secret) => `v1,${hmacSha256Base64(keyOf(secret), `${id}.${timestamp}.${body}`)}`).join(" ");

function keyOf(secret: string): Buffer {
  const encoded = SECRET.exec(secret)?.[1];
  if (encoded === undefined) throw new Error("This is not the secret of a webhook.");
  return Buffer.from(encoded, "base64");
}

/** What is sent, and to where. */
export interface ToSend {
  /** Of the delivery: by it a receiver knows a message that it has already. */
  id: string;
  /** The message, letter by letter. */
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
  /** As the receiver answered; null when it did not. */
  code: number | null;
  /** Null: it has the message. */
  error: string | null;
  retryAfterMs: number;
  /** It will not take it, however often it is sent. */
  final: boolean;
  /** It will never take anything again. */
  gone: boolean;
}
