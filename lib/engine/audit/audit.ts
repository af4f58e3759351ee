/** A person in the console, a program with a token of its own, or Handrail itself, such as a schedule. */
export const CALLER_KINDS = ["person", "token", "system"] as const;
export type CallerKind = (typeof CALLER_KINDS)[number];

/** Who asks for an act, and through what, as the audit keeps it. */
export interface Caller {
  /** What people call them. */
  name: string;
  kind: CallerKind;
  /** The id of the session or token they came with, never the secret itself; null where there is none. */
  credentialId: string | null;
  /** The network address, as the last proxy before us told it. */
  address: string | null;
  /** At most MAX_USER_AGENT characters. */
  userAgent: string | null;
  /** Names the request in the server's log. */
  requestId: string | null;
}

export const MAX_USER_AGENT = 300;

/** Handrail itself: nobody asked. */
export const systemCaller = (name: string): Caller => ({
  name,
  kind: "system",
  credentialId: null,
  address: null,
  userAgent: null,
  requestId: null,
});

/** `denied`: a rule or a permission said no. `failed`: it was let in, and what was asked for could not be done. */
export const AUDIT_RESULTS = ["done", "denied", "failed"] as const;
export type AuditResult = (typeof AUDIT_RESULTS)[number];

/** Codes by which an act is denied; any other refusal is a failure of what was asked. */
const DENIALS: readonly string[] = [
  "not_allowed",
  "approval_required",
  "changed",
  "forbidden",
  "unauthenticated",
  "too_many_attempts",
];

export const refusedAs = (code: string): Exclude<AuditResult, "done"> => (DENIALS.includes(code) ? "denied" : "failed");
