import type { AlertKind } from "./alert-rule";

/** What a rule has measured, against its numbers. */
export interface AlertReading {
  kind: AlertKind;
  threshold: number;
  windowMs: number | null;
  value: number | null;
  /** The workflow or schedule that is worst; null: the whole installation. */
  subject: string | null;
}

/** "34 % of the runs of order-fulfilment failed within 15 minutes (limit 20 %)" */
export function readingWords({ kind, threshold, windowMs, value, subject }: AlertReading): string {
  if (value === null) return "nothing to measure";
  const within = windowMs === null ? "" : ` within ${spanWords(windowMs)}`;
  const of = subject === null ? "" : ` of ${subject}`;
  switch (kind) {
    case "failure_ratio":
      return `${shareWords(value)} of the runs${of} failed${within} (limit ${shareWords(threshold)})`;
    case "backlog_age":
      return `a run${of} has waited ${spanWords(value)} to begin (limit ${spanWords(threshold)})`;
    case "live_workers":
      return `${workersWords(value)}${subject === null ? "" : ` for ${subject}`} (limit ${threshold})`;
    case "unknown_outcome_age":
      return `an outcome${of} has been unknown for ${spanWords(value)} (limit ${spanWords(threshold)})`;
    case "compensation_age":
      return `a compensation${of} has been open for ${spanWords(value)} (limit ${spanWords(threshold)})`;
    case "schedule_late":
      return `schedule ${subject} is ${spanWords(value)} late (limit ${spanWords(threshold)})`;
    case "duration_p95":
      return `5 % of the runs${of} took ${spanWords(value)} or more${within} (limit ${spanWords(threshold)})`;
    case "blob_store_age":
      return `a run${of} has waited ${spanWords(value)} for the blob store (limit ${spanWords(threshold)})`;
  }
}

export const shareWords = (share: number): string => `${Number((share * 100).toPrecision(share < 0.1 ? 1 : 2))} %`;

const workersWords = (count: number): string =>
  count === 0 ? "no worker is live" : `only ${count} ${count === 1 ? "worker is" : "workers are"} live`;

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
] as const;

/** "7 minutes", in the largest unit that is at least two, or one exactly. */
export function spanWords(ms: number): string {
  const [name, size] = UNITS.find(([, size]) => ms >= 2 * size || ms === size) ?? UNITS[3];
  const count = Math.round(ms / size);
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}

interface Condition extends Pick<AlertReading, "kind" | "threshold" | "windowMs"> {
  minCount: number | null;
  forMs: number;
}

/** When a rule fires: "more than 20 % of the runs failed within 15 minutes (10 or more ended), for 2 minutes" */
export function conditionWords({ kind, threshold, windowMs, minCount, forMs }: Condition): string {
  const enough = windowMs === null ? "" : ` within ${spanWords(windowMs)} (${minCount} or more ended)`;
  const lasting = forMs === 0 ? "" : `, for ${spanWords(forMs)}`;
  return {
    failure_ratio: () => `more than ${shareWords(threshold)} of the runs failed${enough}${lasting}`,
    backlog_age: () => `a run has waited more than ${spanWords(threshold)} to begin${lasting}`,
    live_workers: () => `fewer than ${threshold === 1 ? "1 worker is" : `${threshold} workers are`} live${lasting}`,
    unknown_outcome_age: () => `an outcome has been unknown for more than ${spanWords(threshold)}${lasting}`,
    compensation_age: () => `a compensation has been open for more than ${spanWords(threshold)}${lasting}`,
    schedule_late: () => `a schedule is more than ${spanWords(threshold)} late${lasting}`,
    duration_p95: () => `5 % of the runs took more than ${spanWords(threshold)}${enough}${lasting}`,
    blob_store_age: () => `a run has waited more than ${spanWords(threshold)} for the blob store${lasting}`,
  }[kind]();
}
