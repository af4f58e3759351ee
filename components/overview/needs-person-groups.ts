import type { OverviewResponse } from "@/lib/api/contract/responses";
import type { RunListItem } from "@/lib/api/contract/run";
import type { Attention } from "@/lib/engine/runs/run";

/** Runs that call for a person in the same way. */
export interface NeedsPersonGroup {
  key: string;
  attention: Attention;
  runs: RunListItem[];
  /** More of them exist than the overview brought along. */
  more: boolean;
}

const LISTED_AT_MOST = 20;

/** Failures are told by their problems, a second later; after this, they are told as they are. */
const LATE_MS = 5_000;

/** What failed alike is one thing to look at; every other call stands alone. The order, worst first, is kept. */
export function groupNeedsPerson({
  needsPerson,
  byAttention,
  problems,
}: Pick<OverviewResponse, "needsPerson" | "byAttention" | "problems">): NeedsPersonGroup[] {
  const groups = new Map<string, NeedsPersonGroup>();
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
