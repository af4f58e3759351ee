import {
  type ChainEnd,
  hasValidSignature,
  linkFault,
  type SignedHead,
  type StoredLink,
  signHead,
} from "../../engine/audit/audit-chain";
import type { AuditKeys } from "../../engine/audit/audit-keys";
import type { Db } from "../../store/db";
import { type AuditRow, digestEarlierRows, listChain, selectChainHead } from "../../store/reads/audit";

/** Rows in memory at once. */
const BATCH = 1_000;

export interface Verdict {
  /** Rows of the chain that verify, from the first on. */
  rows: number;
  /** Rows from before the chain began. */
  earlier: number;
  /** The first error; null when everything verifies. `seq`: its position, null if it has none. */
  fault: { seq: number | null; says: string } | null;
}

const HEAD_GONE = "handrail.audit_chain has no row: the end of the chain was removed.";

/**
 * Verifies the whole chain in batches, during concurrent writes. `heads`: chain heads exported before; each must still
 * be on the chain.
 */
export async function verifyAudit(db: Db, keys: AuditKeys, heads: readonly SignedHead[] = []): Promise<Verdict> {
  const earlier = await digestEarlierRows(db);
  const verdict = (rows: number, fault: Verdict["fault"]): Verdict => ({ rows, earlier: earlier.rows, fault });
  // Read before the rows: rows written meanwhile come after it.
  const head = await selectChainHead(db);
  if (!head) return verdict(0, { seq: null, says: HEAD_GONE });
  if (head.genesis !== earlier.digest)
    return verdict(0, { seq: 0, says: "The rows from before the chain were changed." });
  const unsigned = heads.find((one) => !hasValidSignature(keys, one));
  if (unsigned)
    return verdict(0, {
      seq: unsigned.seq,
      says: `The signature of the exported head ${unsigned.seq} does not verify: the head was changed, or HANDRAIL_AUDIT_KEY does not have its key.`,
    });

  const expected = new Map([...heads, head].map(({ seq, hash }) => [seq, hash] as const));
  for (const { seq, hash } of heads) if (expected.get(seq) !== hash) return verdict(0, { seq, says: rewritten(seq) });
  let end: ChainEnd = { id: 0, seq: 0, hash: head.genesis };
  if ((expected.get(0) ?? end.hash) !== end.hash) return verdict(0, { seq: 0, says: rewritten(0) });
  for (let rows = await listChain(db, 0, BATCH); rows.length > 0; rows = await listChain(db, end.seq, BATCH)) {
    for (const link of rows.map(asLink)) {
      const fault = linkFault(end, link, keys);
      if (fault !== null) return verdict(end.seq, { seq: end.seq + 1, says: fault });
      end = { id: link.id, seq: link.row.seq, hash: link.hash };
      if ((expected.get(end.seq) ?? end.hash) !== end.hash)
        return verdict(end.seq - 1, { seq: end.seq, says: rewritten(end.seq) });
    }
  }
  const last = Array.from(expected.keys()).reduce((a, b) => Math.max(a, b));
  if (last > end.seq)
    return verdict(end.seq, {
      seq: end.seq + 1,
      says: `The chain ended at row ${last}, and its rows end at ${end.seq}: the tail was removed.`,
    });
  const now = await selectChainHead(db);
  if (!now || now.seq < end.seq)
    return verdict(end.seq, {
      seq: end.seq,
      says: "There are rows beyond the end of the chain: rows were added, or the end was set back.",
    });
  return verdict(end.seq, null);
}

const rewritten = (seq: number) =>
  `Row ${seq} is not the one that the chain's end or an exported head names: the chain or its end was rewritten.`;

function asLink({ id, prevHash, hash, ...row }: AuditRow): StoredLink {
  return { id, prevHash: prevHash ?? "", hash: hash ?? "", row: row as StoredLink["row"] };
}

/** Few enough to verify each time a page is opened. */
const NEWEST_ROWS = 1_000;

interface NewestVerdict {
  /** The last row of the chain; 0 when it is empty. */
  seq: number;
  /** How many of the newest rows were checked and verify. */
  rows: number;
  fault: Verdict["fault"];
}

/** Verifies the newest rows alone; `verifyAudit` finds changes before them. */
export async function verifyNewest(db: Db, keys: AuditKeys, newest = NEWEST_ROWS): Promise<NewestVerdict> {
  const head = await selectChainHead(db);
  if (!head) return { seq: 0, rows: 0, fault: { seq: null, says: HEAD_GONE } };
  const before = Math.max(0, head.seq - newest);
  const verdict = (end: number, says?: string): NewestVerdict => ({
    seq: head.seq,
    rows: end - before,
    fault: says === undefined ? null : { seq: end + 1, says },
  });
  const links = (await listChain(db, Math.max(0, before - 1), head.seq - Math.max(0, before - 1))).map(asLink);
  // The row before them is trusted without a check.
  const first = before === 0 ? { id: 0, seq: 0, hash: head.genesis } : endOf(links.shift());
  if (first?.seq !== before)
    return { ...verdict(before), rows: 0, fault: { seq: before, says: `Row ${before} is missing.` } };
  let end = first;
  for (const link of links) {
    const fault = linkFault(end, link, keys);
    if (fault !== null) return verdict(end.seq, fault);
    end = { id: link.id, seq: link.row.seq, hash: link.hash };
  }
  if (end.seq < head.seq) return verdict(end.seq, `Row ${end.seq + 1} is missing: the chain ends at row ${head.seq}.`);
  return end.hash === head.hash ? verdict(end.seq) : verdict(end.seq - 1, `Row ${end.seq} is not the chain's end.`);
}

const endOf = (link: StoredLink | undefined): ChainEnd | undefined =>
  link && { id: link.id, seq: link.row.seq, hash: link.hash };

/** The head of the chain, to be kept out of reach of anyone who can change the database. */
export async function exportHead(db: Db, keys: AuditKeys): Promise<SignedHead> {
  const head = await selectChainHead(db);
  if (!head) throw new Error(HEAD_GONE);
  return signHead(keys, { seq: head.seq, hash: head.hash, at: head.at.toISOString() });
}
