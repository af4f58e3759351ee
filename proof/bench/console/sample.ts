/**
 * Composition of the bench's database: twelve workflows, from one that makes two runs in five down to one in two
 * hundred.
 */
export const WORKFLOWS = [
  { name: "order-fulfilment", share: 0.4, steps: ["reserve-stock", "charge-payment", "send-confirmation"] },
  { name: "account-statement", share: 0.2, steps: ["collect-entries", "render-pdf", "store-pdf"] },
  { name: "send-email", share: 0.12, steps: ["render-mail", "deliver-mail", "record-delivery"] },
  { name: "invoice-payment", share: 0.08, steps: ["load-invoice", "charge-card", "book-payment"] },
  { name: "user-sync", share: 0.06, steps: ["fetch-user", "upsert-user", "index-user"] },
  { name: "delivery-letter", share: 0.04, steps: ["lay-out", "print-letter", "hand-over"] },
  { name: "seller-payout", share: 0.03, steps: ["sum-up", "transfer-money", "notify-seller"] },
  { name: "subscription-renewal", share: 0.03, steps: ["make-invoice", "await-payment", "extend-term"] },
  { name: "refund-request", share: 0.02, steps: ["check-request", "refund-payment", "write-customer"] },
  { name: "profile-image", share: 0.01, steps: ["fetch-image", "scale-image", "store-image"] },
  { name: "fraud-check", share: 0.005, steps: ["collect-signals", "ask-model", "record-score"] },
  { name: "campaign-launch", share: 0.005, steps: ["first-wave", "second-wave", "third-wave"] },
] as const;

/** Of each workflow, in the order in which they went live. */
export const VERSIONS = 5;
export const DAYS = 30;
export const WORKERS = 8;

/** Runs of this workflow wait for an event in their second step. */
export const WAITS_FOR_EVENT = 7;
/** Every 500th run is one of this workflow, and the three after it are its children. */
export const PARENTS = 11;
export const CHILDREN = 2;
export const FAMILY_EVERY = 500;

/**
 * The status of a run whose number is below `below`; the others are `completed`. In addition, `failed` is more frequent
 * during two outages, and the newest runs are pending and running.
 */
export const FATES = [
  { state: "cancelled", below: 0.003 },
  { state: "timer", below: 0.006 },
  { state: "event", below: 0.007 },
  { state: "approval", below: 0.00703 },
  { state: "unknown", below: 0.0071 },
  { state: "paused", below: 0.0074 },
  { state: "owed", below: 0.0076 },
  { state: "compensated", below: 0.0096 },
  { state: "retry", below: 0.0101 },
  { state: "delayed", below: 0.0102 },
  { state: "failed", below: 0.0165 },
] as const;

/** Of the window of `DAYS`, as parts of it: then every fifth run fails. */
export const OUTAGES = [
  [0.55, 0.552],
  [0.985, 0.9865],
] as const;

/** Of all runs, the newest. */
export const PENDING = 0.0002;
export const RUNNING = 0.00005;

export const ERRORS = [
  ["TimeoutError", "No answer within 30000 ms from 10.0.3."],
  ["ServiceUnavailable", "503 from the gateway, request "],
  ["ConnectionRefused", "connect ECONNREFUSED 10.0.0."],
  ["RateLimited", "429: try again in "],
  ["InvalidAddress", "The address cannot be delivered to: "],
  ["InsufficientFunds", "The card was declined, code "],
] as const;
