import { lookOfRun } from "@/components/domain/run/run-looks";
import type { RunFilter } from "@/lib/api/contract/requests";
import type { RunCountsResponse } from "@/lib/api/contract/responses";
import type { RunListItem } from "@/lib/api/contract/run";
import { RUN_STATUSES } from "@/lib/engine/runs/run";

/** The statuses of the chosen runs, the most frequent first: `2 failed, 1 waiting`. */
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

/**
 * How many match, from the counts that ignore status and attention; null where these do not tell, as where not all runs were looked at.
 * Capped where counting was.
 */
export function matching(
  { status = [], attention = [] }: Pick<RunFilter, "status" | "attention">,
  counts: RunCountsResponse | undefined,
): number | null {
  if (!counts || (status.length > 0 && attention.length > 0)) return null;
  const sum = <Value extends string>(asked: readonly Value[], of: Record<Value, number>, partial: readonly Value[]) =>
    asked.some((one) => partial.includes(one)) ? null : asked.reduce((total, one) => total + of[one], 0);
  if (attention.length > 0) return sum(attention, counts.byAttention, counts.partial.byAttention);
  return sum(status.length > 0 ? status : RUN_STATUSES, counts.byStatus, counts.partial.byStatus);
}
