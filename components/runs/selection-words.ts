import type { RunFilter } from "@/lib/api/contract/requests";
import type { RunCountsResponse } from "@/lib/api/contract/responses";
import type { RunListItem } from "@/lib/api/contract/run";
import { lookOfRun } from "../status/run-looks";

/** How the chosen runs stand, most of a kind first: `2 failed, 1 waiting`. */
export function standingOf(runs: readonly Pick<RunListItem, "status" | "waitingFor" | "attention">[]): string {
  const tally = new Map<string, number>();
  for (const run of runs) {
    const word = lookOfRun(run).word.toLowerCase();
    tally.set(word, (tally.get(word) ?? 0) + 1);
  }
  return [...tally]
    .sort(([, a], [, b]) => b - a)
    .map(([word, count]) => `${count} ${word}`)
    .join(", ");
}

/** How many match, from the counts that ignore status and attention; null where these do not tell. Capped where counting was. */
export function matching(
  { status = [], attention = [] }: Pick<RunFilter, "status" | "attention">,
  counts: RunCountsResponse | undefined,
): number | null {
  if (!counts || (status.length > 0 && attention.length > 0)) return null;
  const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);
  if (attention.length > 0) return sum(attention.map((one) => counts.byAttention[one]));
  return sum(status.length > 0 ? status.map((one) => counts.byStatus[one]) : Object.values(counts.byStatus));
}
