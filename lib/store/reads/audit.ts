import type { AuditResult, CallerKind } from "../../engine/audit/audit";
import { CANONICAL_INSTANT } from "../audit/audit";
import type { Db, Statement } from "../db";
import type { Json } from "../rows";
import { Parameters } from "./run-filter";
import { namedRun, type RunNaming } from "./run-naming";

/** A row as it is shown, exported and verified; its place in the chain is null in rows from before the chain began. */
export interface AuditRow {
  id: number;
  /** UTC with microseconds. */
  at: string;
  actor: string;
  actorKind: CallerKind;
  credentialId: string | null;
  address: string | null;
  userAgent: string | null;
  requestId: string | null;
  planId: string | null;
  act: string;
  runId: string | null;
  step: string | null;
  schedule: string | null;
  workflow: string | null;
  reason: string;
  before: Json;
  after: Json;
  requestKey: string | null;
  result: AuditResult;
  code: string | null;
  seq: number | null;
  keyId: string | null;
  /** 64 hexadecimal digits, as `hash`. */
  prevHash: string | null;
  hash: string | null;
}

export const AUDIT_COLUMNS = `id, to_char(at at time zone 'UTC', ${CANONICAL_INSTANT}) as at, actor, actor_kind as "actorKind",
      credential_id as "credentialId", address, user_agent as "userAgent", request_id as "requestId", plan_id as "planId",
      act, run_id as "runId", step, schedule, workflow, reason, "before", "after", request_key as "requestKey", result, code,
      seq, key_id as "keyId", encode(prev_hash, 'hex') as "prevHash", encode(hash, 'hex') as hash`;

/** A row of a list, with what its run is called. */
export type ListedAuditRow = AuditRow & { named: RunNaming | null };

export interface AuditFilter {
  actor?: string | undefined;
  act?: string | undefined;
  runId?: string | undefined;
  workflow?: string | undefined;
  schedule?: string | undefined;
  result?: readonly AuditResult[] | undefined;
  /** Instants; the first is included, the second not. */
  since?: string | undefined;
  until?: string | undefined;
}

/** Newest first, before the id `before`. */
export function listAudit(db: Db, filter: AuditFilter, page: { before: number | null; limit: number }) {
  const parameters = new Parameters();
  const conditions = conditionsOf(filter, parameters);
  if (page.before !== null) conditions.push(`id < ${parameters.add(page.before, "bigint")}`);
  const text = `
    select ${AUDIT_COLUMNS}, (select ${namedRun("run")} from handrail.run where run.id = audit.run_id) as named from handrail.audit
    ${conditions.length > 0 ? `where ${conditions.join(" and ")}` : ""}
    order by audit.id desc limit ${parameters.add(page.limit, "int")}`;
  // Unnamed: its shape follows the filter.
  return db.query<ListedAuditRow>({ name: "", text }, parameters.values);
}

function conditionsOf({ result, since, until, runId, ...equal }: AuditFilter, parameters: Parameters): string[] {
  const conditions = Object.entries(equal)
    .filter(([, value]) => value !== undefined)
    .map(([column, value]) => `${column} = ${parameters.add(value, "text")}`);
  if (runId !== undefined) conditions.push(`run_id = ${parameters.add(runId, "uuid")}`);
  if (result !== undefined) conditions.push(`result = any (${parameters.add(result, "text[]")})`);
  if (result !== undefined && !result.includes("done")) conditions.push("result <> 'done'");
  if (since !== undefined) conditions.push(`at >= ${parameters.add(since, "timestamptz")}`);
  if (until !== undefined) conditions.push(`at < ${parameters.add(until, "timestamptz")}`);
  return conditions;
}

const chainStatement: Statement = {
  name: "walk-audit-chain",
  text: `select ${AUDIT_COLUMNS} from handrail.audit where seq > $1::bigint order by seq limit $2::int`,
};

/** In the order of the chain. */
export const listChain = (db: Db, after: number, limit: number) => db.query<AuditRow>(chainStatement, [after, limit]);

interface ChainHead {
  seq: number;
  hash: string;
  genesis: string;
  /** The database's clock. */
  at: Date;
}

const headStatement: Statement = {
  name: "audit-head",
  text: `
    select seq, encode(hash, 'hex') as hash, encode(genesis, 'hex') as genesis, clock_timestamp() as at
    from handrail.audit_chain`,
};

/** Undefined if it was removed. */
export const selectChainHead = async (db: Db) => (await db.query<ChainHead>(headStatement, []))[0];

const earlierStatement: Statement = {
  name: "audit-before-the-chain",
  text: `
    select encode(handrail.audit_genesis(), 'hex') as digest, (select count(*)::int from handrail.audit where seq is null) as rows`,
};

/** The rows from before the chain, as they were when it began. */
export async function digestEarlierRows(db: Db): Promise<{ digest: string; rows: number }> {
  const [row] = await db.query<{ digest: string; rows: number }>(earlierStatement, []);
  return row as { digest: string; rows: number };
}
