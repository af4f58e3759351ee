import { refusedAs } from "../../engine/audit/audit";
import { type HandrailError, isHandrailError } from "../../engine/errors";
import { type AuditEntry, writeAudit, writeRefusal } from "../../store/audit/audit";
import type { Db } from "../../store/db";
import { type Answer, answeredOnce } from "../answered-once";
import type { Desk } from "../desk";
import { RefusalBudget } from "./refusal-budget";

/** What somebody tries, as the audit will tell it. */
export interface Attempt {
  act: string;
  runId: string | null;
  step?: string | undefined;
  schedule?: string | undefined;
  workflow?: string | undefined;
  reason: string;
  /** What the person chose. */
  asked?: object | undefined;
  /** Its target as it was, set as soon as that is found and locked: attempts on what there is not leave no row. */
  before?: object;
}

/** Another thing that the same act changes, such as a child of the run. */
export type AlsoChanged = Pick<AuditEntry, "runId" | "workflow" | "reason" | "before" | "after">;

/** Writes the act's row. Called once, when everything is changed: after it, nothing may be locked. */
export type Tell = (after: object, also?: readonly AlsoChanged[]) => Promise<void>;

const refusals = new RefusalBudget();

/**
 * One act is one transaction, with its row in the audit; one that is refused leaves a row of its own after the rollback.
 * Should that one not get through, its error is the answer: nothing was changed, and nobody is told "no" without a record.
 */
export async function audited<Body>(
  desk: Desk,
  attempt: Attempt,
  work: (tx: Db, tell: Tell) => Promise<Answer<Body>>,
): Promise<Answer<Body>> {
  try {
    return await desk.db.transaction((tx) => answeredOnce(tx, desk.request, () => work(tx, tellOf(tx, desk, attempt))));
  } catch (error) {
    if (isHandrailError(error) && attempt.before) await keepRefusal(desk, attempt, error);
    throw error;
  }
}

/** The row of an act in a transaction of the caller's. */
export const tellOf =
  (tx: Db, desk: Omit<Desk, "db">, attempt: Attempt): Tell =>
  (after, also = []) => {
    const children = also.map((other) => ({ ...entryOf(desk, attempt), ...other, step: null, requestKey: null }));
    const own = { ...entryOf(desk, attempt), after: { ...after, ...attempt.asked } };
    return writeAudit(tx, desk.auditKeys, [...children, own]);
  };

/** The row of an act that came to nothing, in a transaction of the caller's that keeps this and no change. As the last lock. */
export function tellRefused(tx: Db, desk: Omit<Desk, "db">, attempt: Attempt, refused: Refused): Promise<void> {
  return writeAudit(tx, desk.auditKeys, [refusalOf(desk, attempt, refused)]);
}

type Refused = Pick<HandrailError, "code" | "message">;

/** For what is refused before the act begins, such as by a permission: the target has to be known to exist. */
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
    after: { ...attempt.asked, because, ...(omitted > 0 && { omitted }) },
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
