/** The sandbox's services, as their servers answer. */
export const SERVICES = ["payments", "mail", "blobs", "users", "webhooks"] as const;
export type Service = (typeof SERVICES)[number];

export const FAULT_MODES = ["none", "down", "slow", "flaky", "lose-answer"] as const;
export type FaultMode = (typeof FAULT_MODES)[number];

export interface Fault {
  mode: FaultMode;
  rate?: number;
  delayMs?: number;
  /** Payments alone has parts. */
  only?: "charges" | "refunds";
  /** Switches itself off after so many requests. */
  times?: number;
}
export type Faults = Record<Service, Fault>;

export interface Charge {
  id: string;
  idempotencyKey: string;
  orderId: string;
  amountCents: number;
  currency: string;
  createdAt: string;
  /** How often it was asked for with this key. */
  requests: number;
}

export interface Refund {
  id: string;
  chargeId: string;
  idempotencyKey: string;
  createdAt: string;
}

export interface Ledger {
  charges: Charge[];
  refunds: Refund[];
}

export interface Message {
  id: string;
  messageId: string | null;
  from: string;
  to: string;
  subject: string;
  text: string;
  receivedAt: string;
}

/** What the webhook receiver got. */
export interface Webhook {
  id: string;
  /** Unix seconds, as signed. */
  timestamp: number;
  signature: "right" | "wrong";
  body: string;
  receivedAt: string;
}

export interface Receiver {
  messages: Webhook[];
  knowsSecret: boolean;
  /** Where it takes messages. */
  address: string;
}

/** What the chat and the paging service got. */
export interface OnCall {
  /** Oldest first; the last state is the present one. */
  alerts: { key: string; summary: string; states: ("open" | "acknowledged" | "resolved")[] }[];
  posts: { ts: string; thread: string | null; text: string }[];
}

export interface StoredBlob {
  key: string;
  size: number;
  contentType: string;
  writes: number;
  createdAt: string;
}
