import type { RunTally } from "@/lib/api/contract/run";
import type { RunStatus } from "@/lib/engine/runs/run";
import { formatCount, plural } from "@/lib/format";

/** Worst first; ended runs that need no attention are one count. */
const GROUPS: { word: string; statuses: RunStatus[] }[] = [
  { word: "failed", statuses: ["failed"] },
  { word: "paused", statuses: ["paused"] },
  { word: "compensating", statuses: ["compensating"] },
  { word: "waiting", statuses: ["waiting"] },
  { word: "running", statuses: ["running"] },
  { word: "pending", statuses: ["pending"] },
  { word: "done", statuses: ["completed", "cancelled", "compensated"] },
];

/** `4 runs: 1 failed, 3 done`; if counting stopped, `the first 500 runs: …`. */
export function tallyWords({ byStatus, total, capped }: RunTally): string {
  const parts = GROUPS.flatMap(({ word, statuses }) => {
    const count = statuses.reduce((sum, status) => sum + byStatus[status], 0);
    return count > 0 ? [`${formatCount(count)} ${word}`] : [];
  });
  return `${capped ? "more than " : ""}${plural(total, "run")}: ${capped ? "of those " : ""}${parts.join(", ")}`;
}
