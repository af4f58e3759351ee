import type { OverviewResponse } from "@/lib/api/contract/responses";
import type { RunListItem } from "@/lib/api/contract/run";
import type { Attention } from "@/lib/engine/runs/run";

/** Runs that need attention for the same reason. */
export interface AttentionGroup {
  key: string;
  attention: Attention;
  runs: RunListItem[];
  /** More of them exist than the overview returned. */
  more: boolean;
}

const LISTED_AT_MOST = 20;

/** Failures are grouped into problems a second later; after this delay, ungrouped ones are listed one by one. */
const LATE_MS = 5_000;

/** Groups failures of the same problem; every other item is listed alone. The order, worst first, is kept. */
export function groupsOfAttention({
  needsPerson,
  byAttention,
  problems,
}: Pick<OverviewResponse, "needsPerson" | "byAttention" | "problems">): AttentionGroup[] {
  const groups = new Map<string, AttentionGroup>();
  const areLate = problems.behindMs > LATE_MS;
  for (const run of needsPerson) {
    const attention = run.attention ?? "failed";
    if (attention === "failed" && !areLate) continue;
    const key = attention === "failed" ? `${run.workflow} ${run.failedStep} ${run.error?.name}` : run.id;
    const group = groups.get(key);
    if (group) group.runs.push(run);
    else groups.set(key, { key, attention, runs: [run], more: false });
  }
  const listed = (attention: Attention) => needsPerson.filter((run) => run.attention === attention).length;
  const full = needsPerson.length >= LISTED_AT_MOST;
  return [...groups.values()].map((group) => ({
    ...group,
    more: full && group.attention === "failed" && byAttention.failed > listed("failed"),
  }));
}
