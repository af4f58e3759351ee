/** A person in the console, a program with its token, or the system: a schedule, a run, a worker, or an app through the library. */
export const CALLER_KINDS = ["person", "token", "system"] as const;
export type CallerKind = (typeof CALLER_KINDS)[number];

/** Who requests an action, and through what, as recorded in the audit. */
export interface Caller {
  /** The display name. */
  name: string;
  kind: CallerKind;
  /** The id of the session or token used, never the secret itself; null if there is none. */
  credentialId: string | null;
  /** The connection's address, or the one that the proxies counted by HANDRAIL_PROXIES reported. */
  address: string | null;
  /** At most MAX_USER_AGENT characters. */
  userAgent: string | null;
  /** The request's id in the server's log. */
  requestId: string | null;
}

export const MAX_USER_AGENT = 300;

/** A caller without a credential: Handrail itself, or an app through the library. */
export const systemCaller = (name: string): Caller => ({
  name,
  kind: "system",
  credentialId: null,
  address: null,
  userAgent: null,
  requestId: null,
});

/** `denied`: a rule or a permission refused it. `failed`: it was permitted, but could not be done. */
export const AUDIT_RESULTS = ["done", "denied", "failed"] as const;
export type AuditResult = (typeof AUDIT_RESULTS)[number];

/** Codes that count as denied; any other refusal is a failure. */
const DENIALS: readonly string[] = [
  "not_allowed",
  "approval_required",
  "changed",
  "plan_changed",
  "forbidden",
  "unauthenticated",
  "too_many_attempts",
];

export const refusedAs = (code: string): Exclude<AuditResult, "done"> => (DENIALS.includes(code) ? "denied" : "failed");
