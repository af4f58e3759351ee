import { z } from "zod";
import { AUDIT_RESULTS, CALLER_KINDS } from "../../engine/audit/audit";
import { runNaming } from "./run-naming";
import { instant, json } from "./values";

/** An attempted action: carried out, or refused. */
export const auditRowSchema = z
  .object({
    id: z.string(),
    at: instant,
    actor: z.string(),
    actorKind: z.enum(CALLER_KINDS),
    /** Of the session or token, never the secret. */
    credentialId: z.string().nullable(),
    address: z.string().nullable(),
    userAgent: z.string().nullable(),
    requestId: z.string().nullable(),
    planId: z.string().nullable(),
    act: z.string(),
    /** Null for an action on a schedule or a workflow. */
    runId: z.uuid().nullable(),
    /** Of the run, in the list of all runs alone, so that the rows of an export are what was hashed; null without a run, or when it no longer exists. */
    named: runNaming.nullable().optional(),
    step: z.string().nullable(),
    schedule: z.string().nullable(),
    workflow: z.string().nullable(),
    reason: z.string(),
    /** The Idempotency-Key of the request, in exports alone. */
    requestKey: z.string().nullable().optional(),
    before: json,
    /** For a refused attempt: the request, and `because`, why it was refused. */
    after: json,
    result: z.enum(AUDIT_RESULTS),
    /** Why it was refused; null when it was carried out. */
    code: z.string().nullable(),
    /** Its position in the chain, from 1; null, like the three below, in rows from before the chain existed. */
    seq: z.int().nullable(),
    keyId: z.string().nullable(),
    prevHash: z.string().nullable(),
    hash: z.string().nullable(),
  })
  .meta({ id: "AuditRow" });
