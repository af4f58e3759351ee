import { refusedAs } from "../../engine/audit/audit";
import { type HandrailError, isHandrailError } from "../../engine/errors";
import { type AuditEntry, writeAudit, writeRefusal } from "../../store/audit/audit";
import type { Db } from "../../store/db";
import { type Answer, answeredOnce } from "../answered-once";
import type { Desk } from "../desk";
import { RefusalBudget } from "./refusal-budget";

/** An attempted action, as the audit log will record it. */
export interface Attempt {
  act: string;
  runId: string | null;
  step?: string | undefined;
  schedule?: string | undefined;
  workflow?: string | undefined;
  reason: string;
  /** What the operator chose. */
  details?: object | undefined;
  /** The target as it was, set as soon as it is found and locked: attempts on a missing target leave no row. */
  before?: object;
}

/** Another object that the same action changes, such as a child of the run. */
export type AlsoChanged = Pick<AuditEntry, "runId" | "workflow" | "reason" | "before" | "after">;

/** Writes the action's row. Called once, after all changes: nothing may be locked after it. */
export type WriteRow = (after: object, also?: readonly AlsoChanged[]) => Promise<void>;

const refusals = new RefusalBudget();

/**
 * One action is one transaction, with its row in the audit log; a refused action writes a separate row after the
 * rollback. If that write fails, its error is the answer: nothing was changed, and no refusal goes unrecorded.
 */
export async function audited<Body>(
  desk: Desk,
  attempt: Attempt,
  work: (tx: Db, record: WriteRow) => Promise<Answer<Body>>,
): Promise<Answer<Body>> {
  try {
    return await desk.db.transaction((tx) =>
      answeredOnce(tx, desk.request, () => work(tx, rowWriter(tx, desk, attempt))),
    );
  } catch (error) {
    if (isHandrailError(error) && attempt.before) await keepRefusal(desk, attempt, error);
    throw error;
  }
}

/** Writes the row of an action in the caller's transaction. */
export const rowWriter =
  (tx: Db, desk: Omit<Desk, "db">, attempt: Attempt): WriteRow =>
  (after, also = []) => {
    const children = also.map((other) => ({ ...entryOf(desk, attempt), ...other, step: null, requestKey: null }));
    const own = { ...entryOf(desk, attempt), after: { ...after, ...attempt.details } };
    return writeAudit(tx, desk.auditKeys, [...children, own]);
  };

/**
 * Writes the row of an action without effect in the caller's transaction, which keeps the row and no change. As the
 * last lock.
 */
export function recordRefused(tx: Db, desk: Omit<Desk, "db">, attempt: Attempt, refused: Refused): Promise<void> {
  return writeAudit(tx, desk.auditKeys, [refusalOf(desk, attempt, refused)]);
}

type Refused = Pick<HandrailError, "code" | "message">;

/** For refusals before the action begins, such as a missing permission: the target must be known to exist. */
export async function keepRefusal(desk: Desk, attempt: Attempt, refused: Refused): Promise<void> {
  const { name, address } = desk.by;
  const omitted = refusals.take(`${name}\n${address ?? ""}`);
  if (omitted === null) return;
  await writeRefusal(desk.db, desk.auditKeys, refusalOf(desk, attempt, refused, omitted));
}

function refusalOf(desk: Omit<Desk, "db">, attempt: Attempt, { code, message }: Refused, omitted = 0): AuditEntry {
  const because = message.replaceAll("\0", "").toWellFormed();
  return {
    ...entryOf(desk, attempt),
    after: { ...attempt.details, because, ...(omitted > 0 && { omitted }) },
    refused: { result: refusedAs(code), code },
  };
}

function entryOf(
  { by, planId, request }: Omit<Desk, "db">,
  attempt: Attempt,
): Omit<AuditEntry, "after"> & { after: object } {
  const { act, runId, step = null, schedule, workflow, reason, before = {} } = attempt;
  const requestKey = request?.key ?? null;
  return { by, act, runId, step, schedule, workflow, planId, reason, before, after: {}, requestKey };
}
