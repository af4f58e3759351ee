import { HandrailError } from "../errors";

/** For how long ended runs are kept, in milliseconds from their end on, by outcome. An outcome that is absent: for ever. */
export interface Retention {
  completedMs?: number;
  /** Also runs that nobody has looked at. */
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

/** Every outcome for as long. */
export const keptFor = (ms: number): Retention => Object.fromEntries(RETENTION_FIELDS.map((field) => [field, ms]));

/** What counts for a workflow: what its code says, and `keepMs` for every outcome where it says nothing at all. */
export function effectiveRetention(declared: Retention | undefined, keepMs: number | null): Retention | null {
  if (declared) return declared;
  return keepMs === null ? null : keptFor(keepMs);
}
