import { hmacSha256, isSameText } from "../digest";
import type { AuditKey, AuditKeys } from "./audit-keys";

/** A JSON value as read from the database. */
export type Plain = string | number | boolean | null | Plain[] | { [key: string]: Plain };

/** An audit row as its hash covers it: its content and its position. */
export interface ChainRow {
  /** From 1, without gaps. */
  seq: number;
  /** The id of the key used for its hash. */
  keyId: string;
  /** UTC with microseconds: `2026-11-21T09:00:00.123456Z`. */
  at: string;
  actor: string;
  actorKind: string;
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
  before: Plain;
  after: Plain;
  requestKey: string | null;
  result: string;
  code: string | null;
}

/** HMAC-SHA256 over the previous hash and the row's canonical text, as 64 hexadecimal digits. */
export function linkHash(key: AuditKey, prevHash: string, row: ChainRow): string {
  return hmacSha256(key.secret, `${prevHash}\n${canonical(row)}`);
}

/** JSON with sorted object keys, so that a row has the same text however the database stores it. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, item]) => `${JSON.stringify(name)}:${canonical(item)}`).join(",")}}`;
}

/** A row as read from the database. */
export interface StoredLink {
  id: number;
  prevHash: string;
  hash: string;
  row: ChainRow;
}

/** The end of the verified part; before the first row `seq` is 0 and `hash` the genesis. */
export interface ChainEnd {
  id: number;
  seq: number;
  hash: string;
}

/** What is wrong with the row after `end`, in words; null if it follows. */
export function linkFault(end: ChainEnd, { id, prevHash, hash, row }: StoredLink, keys: AuditKeys): string | null {
  if (row.seq !== end.seq + 1) return `Row ${end.seq + 1} is missing: the row after ${end.seq} is ${row.seq}.`;
  if (id <= end.id) return `Row ${row.seq} has the id ${id}, and the row before it ${end.id}: they are out of order.`;
  if (prevHash !== end.hash) return `Row ${row.seq} does not follow from the row before it.`;
  const key = keys.byId.get(row.keyId);
  if (!key)
    return `Row ${row.seq} was written with the key "${row.keyId}", which HANDRAIL_AUDIT_KEY does not name here.`;
  return isSameText(linkHash(key, prevHash, row), hash)
    ? null
    : `Row ${row.seq} does not match its hash: it was changed after it was written, or HANDRAIL_AUDIT_KEY has another secret for "${row.keyId}" here.`;
}

/** The signed end of the chain at an instant. Keep it out of reach of users with write access to the database. */
export interface SignedHead {
  seq: number;
  hash: string;
  /** ISO 8601. */
  at: string;
  keyId: string;
  signature: string;
}

export function signHead({ current }: AuditKeys, head: { seq: number; hash: string; at: string }): SignedHead {
  return { ...head, keyId: current.id, signature: headSignature(current, head) };
}

export function hasValidSignature(keys: AuditKeys, { signature, keyId, ...head }: SignedHead): boolean {
  const key = keys.byId.get(keyId);
  return key !== undefined && isSameText(headSignature(key, head), signature);
}

/** Domain separation from row hashes: neither can be passed off as the other. */
const headSignature = (key: AuditKey, { seq, hash, at }: { seq: number; hash: string; at: string }) =>
  hmacSha256(key.secret, `handrail audit head\n${seq}\n${hash}\n${at}`);
