import type { AuditResult, Caller } from "../../engine/audit/audit";
import { type ChainRow, linkHash, type Plain } from "../../engine/audit/audit-chain";
import type { AuditKeys } from "../../engine/audit/audit-keys";
import type { Db, Statement } from "../db";
import { REQUESTS_KEPT_MS } from "../runs/retention";

export interface AuditEntry {
  by: Caller;
  act: string;
  /** Null for an action on a schedule or a workflow. */
  runId: string | null;
  step: string | null;
  schedule?: string | undefined;
  /** The workflow of the action, or of its run. */
  workflow?: string | undefined;
  /** The plan that it executes. */
  planId?: string | undefined;
  reason: string;
  /** What the action changed, before and after. */
  before: object;
  after: object;
  requestKey: string | null;
  /** Default: done. */
  refused?: { result: Exclude<AuditResult, "done">; code: string };
}

/** UTC with microseconds, as the hash covers it. */
export const CANONICAL_INSTANT = `'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'`;

/*
 * Races with: every other writer of the audit log. The chain's head is one row, and its lock is held until the commit:
 * take it last of all locks, when only the write, the answer and the commit remain.
 */
const lockHeadStatement: Statement = {
  name: "lock-audit-head",
  text: `
    select seq, encode(hash, 'hex') as hash, to_char(clock_timestamp() at time zone 'UTC', ${CANONICAL_INSTANT}) as at
    from handrail.audit_chain for no key update`,
};

interface Head {
  seq: number;
  hash: string;
  at: string;
}

const insertStatement: Statement = {
  name: "insert-audit",
  text: `
    with written as (
      insert into handrail.audit (seq, prev_hash, hash, key_id, at, actor, actor_kind, credential_id, address, user_agent,
        request_id, plan_id, act, run_id, step, schedule, workflow, reason, "before", "after", request_key, result, code)
      select seq, decode("prevHash", 'hex'), decode(hash, 'hex'), "keyId", at::timestamptz, actor, "actorKind",
        "credentialId", address, "userAgent", "requestId", "planId", act, "runId", step, schedule, workflow, reason,
        "before", "after", "requestKey", result, code
      from jsonb_to_recordset($1::jsonb) as link (seq bigint, "prevHash" text, hash text, "keyId" text, at text, actor text,
        "actorKind" text, "credentialId" text, address text, "userAgent" text, "requestId" text, "planId" uuid, act text,
        "runId" uuid, step text, schedule text, workflow text, reason text, "before" jsonb, "after" jsonb,
        "requestKey" text, result text, code text)
      order by seq
    )
    update handrail.audit_chain set seq = $2::bigint, hash = decode($3, 'hex')`,
};

/**
 * Written in the transaction of the action itself: no action without its row, and no row without its action. Nothing
 * may be locked after it.
 */
export async function writeAudit(tx: Db, keys: AuditKeys, entries: readonly AuditEntry[]): Promise<void> {
  await append(tx, keys, await lockHead(tx), entries);
}

async function lockHead(tx: Db): Promise<Head> {
  const [head] = await tx.query<Head>(lockHeadStatement, []);
  if (head) return head;
  throw new Error("handrail.audit_chain has no row: the end of the audit log's chain was removed outside Handrail.");
}

// Of the same request: its target and what was chosen, without what an answer adds. Keys are kept as long.
const earlierRefusalStatement: Statement = {
  name: "earlier-audit-of-request",
  text: `
    select from handrail.audit
    where request_key = $1 and result = $2 and credential_id is not distinct from $3 and act = $4
      and run_id is not distinct from $5::uuid and step is not distinct from $6 and schedule is not distinct from $7
      and workflow is not distinct from $8 and plan_id is not distinct from $9::uuid and reason = $10
      and "after" - '{because,omitted}'::text[] = $11::jsonb - '{because,omitted}'::text[]
      and at > (select clock_timestamp()) - $12::float8 * interval '1 ms'
    limit 1`,
};

/** In a separate transaction, after the action's was rolled back; once a request, however often it is sent. */
export function writeRefusal(db: Db, keys: AuditKeys, entry: AuditEntry): Promise<void> {
  return db.transaction(async (tx) => {
    const head = await lockHead(tx);
    // Read under the lock: an earlier writer has committed.
    const earlier = entry.requestKey === null ? [] : await tx.query(earlierRefusalStatement, requestOf(entry));
    if (earlier.length === 0) await append(tx, keys, head, [entry]);
  });
}

function requestOf(entry: AuditEntry): unknown[] {
  const { by, act, runId, step, schedule = null, workflow = null, planId = null, reason, requestKey, refused } = entry;
  const caller = [requestKey, refused?.result ?? "done", by.credentialId, act];
  return [...caller, runId, step, schedule, workflow, planId, reason, JSON.stringify(entry.after), REQUESTS_KEPT_MS];
}

async function append(tx: Db, { current }: AuditKeys, head: Head, entries: readonly AuditEntry[]): Promise<void> {
  let { seq, hash } = head;
  const links = entries.map((entry) => {
    const prevHash = hash;
    const row = rowOf(entry, { seq: ++seq, at: head.at, keyId: current.id });
    hash = linkHash(current, prevHash, row);
    return { ...row, prevHash, hash };
  });
  await tx.query(insertStatement, [JSON.stringify(links), seq, hash]);
}

function rowOf(entry: AuditEntry, place: Pick<ChainRow, "seq" | "at" | "keyId">): ChainRow {
  const { by, act, runId, step, schedule = null, workflow = null, planId = null, requestKey, refused } = entry;
  return {
    ...place,
    actor: by.name,
    actorKind: by.kind,
    credentialId: by.credentialId,
    address: by.address,
    userAgent: by.userAgent,
    requestId: by.requestId,
    planId: asStoredId(planId),
    act,
    runId: asStoredId(runId),
    step,
    schedule,
    workflow,
    reason: entry.reason,
    before: asStored(entry.before),
    after: asStored(entry.after),
    requestKey,
    result: refused?.result ?? "done",
    code: refused?.code ?? null,
  };
}

/** In the form in which it will be read: the hash covers that. */
/** A `uuid` column gives it back in lower case: the hash of what was given otherwise would never match again. */
const asStoredId = (id: string | null) => id?.toLowerCase() ?? null;

const asStored = (value: object): Plain => JSON.parse(JSON.stringify(value));
