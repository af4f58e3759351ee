import type { Db } from "../db";
import { sealedRecords } from "../payloads";
import type { ClaimRecord } from "../workers/claim-record";
import { recordStatement } from "./record-statement";

/** An operator's request for a run that a worker holds: cancel or pause. */
export type Asked = "cancel" | "pause";

/** The result for one run's records in one flush. A run that is missing was fenced out, or its row was locked. */
export interface Receipt {
  asked: Asked | null;
  /** The waiting steps among them. */
  steps: Map<string, KeptStep>;
}

/** When a waiting step is due, as the database writes instants and as a delay from its now; null for other steps. */
export interface KeptStep {
  dueAt: string | null;
  dueInMs: number | null;
}

/** Keeps the records of many runs in one statement and one commit; leaves out runs whose row is locked. */
export function record(db: Db, records: readonly ClaimRecord[]): Promise<Map<string, Receipt>> {
  return send(db, records, "skip locked");
}

/** Waits for the lock on the run's row. A run that is missing from the answer has been fenced out permanently. */
export function recordAlone(db: Db, records: readonly ClaimRecord[]): Promise<Map<string, Receipt>> {
  return send(db, records, "wait");
}

interface Answer {
  /** The runs that still belong to their claims; null: all of them. */
  held: string[] | null;
  asked: Record<string, Asked> | null;
  waiting: [runId: string, step: string, dueAt: string, dueInMs: number][] | null;
}

const NOTHING_TO_SAY: Receipt = { asked: null, steps: new Map() };

async function send(
  db: Db,
  records: readonly ClaimRecord[],
  locked: "skip locked" | "wait",
): Promise<Map<string, Receipt>> {
  const { statement, values } = recordStatement(sealedRecords(records), locked);
  const [answer] = await db.query<Answer>(statement, values);
  const { held, asked, waiting } = answer as Answer;
  const receipts = new Map<string, Receipt>();
  for (const runId of held ?? records.map((given) => given.runId)) receipts.set(runId, NOTHING_TO_SAY);
  const own = (runId: string): Receipt => {
    const receipt = { ...(receipts.get(runId) as Receipt) };
    receipts.set(runId, receipt);
    return receipt;
  };
  for (const [runId, what] of Object.entries(asked ?? {})) own(runId).asked = what;
  for (const [runId, step, dueAt, dueInMs] of waiting ?? []) {
    const receipt = own(runId);
    receipt.steps = new Map(receipt.steps).set(step, { dueAt, dueInMs });
  }
  return receipts;
}
