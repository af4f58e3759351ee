import type { Promised } from "../../lib/store/database/doctor-rules";
import type { Trial } from "./fault";

const PROMISES: Promised[] = ["P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8", "P9", "P10"];

/** Faults × promises, as Markdown, ready to be pasted into a document. */
export const HEADER = [
  `| fault | runs | struck | ${PROMISES.join(" | ")} | s |`,
  `| --- | --: | --: | ${PROMISES.map(() => ":-:").join(" | ")} | --: |`,
];

export function rowOf({ fault, how, runs, struck, seconds, violations, skipped }: Trial): string {
  if (skipped !== undefined)
    return `| **${fault}**: ${how} | – | – | ${PROMISES.map(() => "–").join(" | ")} | ${skipped} |`;
  const marks = PROMISES.map((promise) => {
    const broken = violations.filter((violation) => violation.promise === promise).length;
    return broken === 0 ? "✓" : `**✗ ${broken}**`;
  });
  return `| **${fault}**: ${how} | ${runs} | ${struck} | ${marks.join(" | ")} | ${seconds} |`;
}

export function violationLines({ fault, how, seed, violations }: Trial): string[] {
  return violations.map(({ promise, what, workflow, runId }) => {
    const about = [workflow, runId].filter(Boolean).join(" ");
    return `${promise} broken by "${fault}" (${how}; seed ${seed})${about && `, ${about}`}: ${what}`;
  });
}
