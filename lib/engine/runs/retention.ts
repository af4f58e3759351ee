import { HandrailError } from "../errors";

/** How long ended runs are kept, in milliseconds after their end, by outcome. An absent outcome: forever. */
export interface Retention {
  completedMs?: number;
  /** Also applies to runs that have not been viewed. */
  failedMs?: number;
  cancelledMs?: number;
  compensatedMs?: number;
}

const RETENTION_FIELDS = ["completedMs", "failedMs", "cancelledMs", "compensatedMs"] as const;

const MIN_MS = 1_000;
const MAX_MS = 100 * 366 * 86_400_000;

/** @throws HandrailError `invalid_workflow` */
export function checkRetention(workflow: string, retention: Retention): Retention {
  for (const [field, ms] of Object.entries(retention)) {
    if (!(RETENTION_FIELDS as readonly string[]).includes(field))
      throw new HandrailError(
        "invalid_workflow",
        `"${field}" is no field of retention of workflow "${workflow}". Use ${RETENTION_FIELDS.join(", ")}.`,
      );
    if (!Number.isInteger(ms) || ms < MIN_MS || ms > MAX_MS)
      throw new HandrailError(
        "invalid_workflow",
        `${field} of workflow "${workflow}" is a whole number of milliseconds from 1000 to 100 years.`,
      );
  }
  return retention;
}

/** The same time for every outcome. */
export const keptFor = (ms: number): Retention => Object.fromEntries(RETENTION_FIELDS.map((field) => [field, ms]));

/** The retention that applies: as declared, or `keepMs` for every outcome if nothing is declared. */
export function effectiveRetention(declared: Retention | undefined, keepMs: number | null): Retention | null {
  if (declared) return declared;
  return keepMs === null ? null : keptFor(keepMs);
}
