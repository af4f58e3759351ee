import type { DrawnStep } from "@/lib/api/contract/steps";
import type { StepRow } from "./lanes";

/** Steps of one lane that a loop has named: `send-mail-1`, `send-mail-2` … */
export interface Loop {
  /** What their names have in common: `send-mail-…`. */
  stem: string;
  rows: StepRow[];
}

/** Steps of one stem are grouped into a row from this count on. */
export const MANY = 12;

/** A name without the parts that vary in a loop: its numbers and ids, and everything after the last colon. */
export function stemOf(name: string): string {
  const colon = name.lastIndexOf(":");
  if (colon > 0) return `${name.slice(0, colon)}:…`;
  return name.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d+/g, "…");
}

// Asked for with every change of what is looked at, of thousands of steps.
const stems = new WeakMap<DrawnStep, string>();

function knownStem(step: DrawnStep): string {
  const known = stems.get(step);
  if (known !== undefined) return known;
  const stem = stemOf(step.name);
  stems.set(step, stem);
  return stem;
}

/** In order; the steps of a loop are grouped at the place of its first step. */
export function groupLoops(rows: readonly StepRow[]): (StepRow | Loop)[] {
  if (rows.length < MANY) return [...rows];
  const byStem = new Map<string, StepRow[]>();
  const stems = rows.map(({ step }) => knownStem(step));
  rows.forEach((row, index) => {
    const stem = stems[index] as string;
    const group = byStem.get(stem);
    if (group) group.push(row);
    else byStem.set(stem, [row]);
  });
  const seen = new Set<string>();
  return rows.flatMap((row, index): (StepRow | Loop)[] => {
    const stem = stems[index] as string;
    const group = byStem.get(stem) as StepRow[];
    if (group.length < MANY) return [row];
    if (seen.has(stem)) return [];
    seen.add(stem);
    return [{ stem, rows: group }];
  });
}

export const isLoop = (entry: StepRow | Loop): entry is Loop => "stem" in entry;
