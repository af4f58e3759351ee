import type { RunsAsked } from "../client";
import type { AuditFilter } from "../contract/audit";
import type { EffectFilter } from "../contract/effects";
import type { PlanRequest } from "../contract/plans";
import type { ProblemFilter } from "../contract/problems";
import type { CompensationFilter, RunFilter } from "../contract/requests";

/** Every key of the console's query cache. What changes with any run begins with one of `changingKeys`. */
export const queryKeys = {
  runs: (asked: RunsAsked) => ["runs", asked] as const,
  runCounts: (filter: RunFilter) => ["run-counts", filter] as const,
  runHistogram: (filter: RunFilter) => ["run-histogram", filter] as const,
  // Begins like the lists: any run may be a child.
  children: (runId: string, status: readonly string[]) => ["runs", "children", runId, status] as const,
  run: (runId: string) => ["run", runId] as const,
  /** With all its steps, up to 5,000. */
  wholeRun: (runId: string) => ["run", runId, "whole"] as const,
  /** Beside its run's key: what takes many pages is not read again with every change. `as`: what makes it another answer. */
  steps: (runId: string, as: string) => ["run-steps", runId, as] as const,
  /** Those of a child, in its parent's timeline. */
  nestedSteps: (runId: string) => ["nested-steps", runId] as const,
  step: (runId: string, name: string) => ["run", runId, "step", name] as const,
  /** Below its run's key: it changes with the run. */
  runLog: (runId: string, q: string) => ["run", runId, "log", q] as const,
  /** Below its run's key, as its log. */
  runEffects: (runId: string, verdict: readonly string[]) => ["run", runId, "effects", verdict] as const,
  flow: (window: string, workflow: readonly string[]) => ["flow", window, workflow] as const,
  workflowFlow: (workflow: string, window: string) => ["flow", "of", workflow, window] as const,
  database: () => ["database"] as const,
  effects: (filter: EffectFilter) => ["effects", filter] as const,
  audit: (filter: AuditFilter) => ["audit", filter] as const,
  auditChain: () => ["audit-chain"] as const,
  me: () => ["me"] as const,
  views: () => ["views"] as const,
  /** People, tokens and sessions: an act on one may change the others. */
  access: (what: "people" | "tokens" | "sessions") => ["access", what] as const,
  destinations: () => ["destinations"] as const,
  deliveries: (destinationId: string) => ["destinations", destinationId] as const,
  overview: () => ["overview"] as const,
  compensations: (filter: CompensationFilter) => ["compensations", "list", filter] as const,
  compensationCounts: (filter: Omit<CompensationFilter, "lane">) => ["compensations", "counts", filter] as const,
  planApprovals: () => ["approvals", "plans"] as const,
  storedPlan: (planId: string) => ["approvals", "plans", planId] as const,
  assignees: (workflow: string) => ["assignees", workflow] as const,
  approvals: () => ["approvals"] as const,
  workers: () => ["workers"] as const,
  workflows: () => ["workflows"] as const,
  retention: () => ["retention"] as const,
  schedules: () => ["schedules"] as const,
  schedule: (name: string) => ["schedules", name] as const,
  plan: (request: PlanRequest | null) => ["plan", request] as const,
  planItems: (planId: string, list: string) => ["plan-items", planId, list] as const,
  operations: () => ["operations"] as const,
  operation: (id: string) => ["operations", id] as const,
  operationItems: (id: string, list: string) => ["operation-items", id, list] as const,
  problems: (filter: ProblemFilter) => ["problems", "list", filter] as const,
  search: (q: string) => ["search", q] as const,
  problem: (id: string) => ["problems", "one", id] as const,
  backfill: (name: string, from: string, to: string) => ["backfill", name, from, to] as const,
};

/** What the key of each single run begins with. */
export const anyRun = ["run"] as const;

/** Reads over many runs: any change may touch them. */
export const changingKeys = [
  ["runs"],
  ["run-counts"],
  ["overview"],
  ["problems"],
  ["compensations"],
  ["approvals"],
  ["operations"],
] as const;
