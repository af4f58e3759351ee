import type { Look } from "@/components/parts/status/look";
import type { AlertRuleView } from "@/lib/api/contract/alerts";
import type { AlertKind } from "@/lib/engine/alerts/alert-rule";

type Standing = Pick<AlertRuleView, "state" | "enabled" | "retired" | "muted" | "alerts">;

/** What a rule is now; whether it is muted is said beside it. */
export function ruleLook({ state, enabled, retired, alerts }: Standing): Look {
  if (retired) return { shape: "slash", word: "No longer in code", tone: "quiet" };
  if (!enabled) return { shape: "slash", word: "Off", tone: "quiet" };
  if (state === "pending") return { shape: "clock", word: "Pending", tone: "amber" };
  if (state === "ok") return { shape: "check", word: "OK", tone: "green" };
  const [last] = alerts;
  return last?.acknowledgedAt
    ? { shape: "person", word: "Acknowledged", tone: "amber" }
    : { shape: "octagon", word: "Firing", tone: "red" };
}

/** The open alert that nobody has acknowledged. */
export const unacknowledged = ({ alerts: [last] }: Pick<AlertRuleView, "alerts">) =>
  last && last.resolvedAt === null && last.acknowledgedAt === null ? last : null;

export const KINDS: readonly { kind: AlertKind; name: string }[] = [
  { kind: "failure_ratio", name: "Share of runs that fail" },
  { kind: "duration_p95", name: "Duration of runs (95th percentile)" },
  { kind: "backlog_age", name: "Age of the backlog" },
  { kind: "live_workers", name: "Live workers" },
  { kind: "unknown_outcome_age", name: "Age of unknown outcomes" },
  { kind: "compensation_age", name: "Age of open compensations" },
  { kind: "schedule_late", name: "Schedules that are late" },
  { kind: "blob_store_age", name: "Waits for the blob store" },
];

/** First things first; docs/signals/runbooks.md has more. */
export const FIRST_STEPS: Record<AlertKind, readonly string[]> = {
  failure_ratio: [
    "Open the workflow: since which version does it fail? Its problems say what the errors have in common.",
    "A provider is down: pause new runs, and rerun all of the problem in one plan when it is back.",
    "A bug: deploy the fix, then rerun the problem's runs. Completed steps are not repeated.",
  ],
  duration_p95: [
    "Open the workflow's steps: which one became slow, and since which version?",
    "A provider is slow: see its status page. Retries add their delays to the duration.",
    "Runs wait between steps: see whether workers are saturated.",
  ],
  backlog_age: [
    "Workers: are all slots full? Start more workers, or raise HANDRAIL_CONCURRENCY.",
    "Slots are free: no live worker has the version. The page of a run says why it waits.",
    "System, Database says whether the database is slow.",
  ],
  live_workers: [
    "Start a worker: npx handrail worker, the launcher or the Deployment.",
    "If workers end at once, their log says why.",
    "Runs wait meanwhile. Nothing is lost.",
  ],
  unknown_outcome_age: [
    "Open the run: its step says with which key and when it was tried.",
    "Look for that key or reference at the provider.",
    "Record what you found: it happened, it did not, or run it again where its key makes that safe.",
  ],
  compensation_age: [
    "Compensations: take one that failed or waits for a person, so that others see it.",
    "Failed: repair the cause and run it again.",
    "Manual: do it at the provider, then mark it compensated with its reference.",
  ],
  schedule_late: [
    "Schedules shows which one. Is a worker live whose code defines it?",
    "If the code no longer has it, pause the schedule.",
    "Workers are live and have it: see whether the database is slow.",
  ],
  blob_store_age: [
    "Runs, status:waiting: the page of a run says what the store answered.",
    "A worker has no store, or no permission: give every worker the same one, and deploy.",
    "The store is down: runs go on by themselves when it is back. Completed steps are not repeated.",
  ],
};
