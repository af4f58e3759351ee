import { ATTENTIONS, RUN_STATUSES } from "../../../lib/engine/runs/run";
import { encodeCursor } from "../../../lib/operator/cursor";
import type { Facts } from "./facts";

/**
 * A read of the console as a browser requests it. One line here is measured at every size, and its plans are checked.
 */
export interface Call {
  name: string;
  /** Below `/api/v1`; `at` is a different number each time. */
  path: (facts: Facts, at: number) => string;
  /** Rows of one table that a part of its plan may read, if that differs from the usual number. */
  mostRows?: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

function pick<Value>(values: readonly Value[], at: number): Value {
  return values[at % values.length] as Value;
}

const ago = (facts: Facts, ms: number) => new Date(facts.now.getTime() - ms).toISOString();
/** Before a run from somewhere in the table. */
const deep = (facts: Facts, at: number) => `cursor=${encodeCursor(["newest", pick(facts.runs, at).id, null])}`;

/** Filters of lists of runs: each is asked for its first page, for one deep in, and counted. */
const FILTERS: Record<string, (facts: Facts, at: number) => string> = {
  none: () => "",
  ...Object.fromEntries(RUN_STATUSES.map((status) => [`status ${status}`, () => `status=${status}`])),
  ...Object.fromEntries(ATTENTIONS.map((attention) => [`attention ${attention}`, () => `attention=${attention}`])),
  "three statuses": () => "status=failed,waiting,paused",
  "the commonest workflow": () => "workflow=order-fulfilment",
  "the rarest workflow": () => "workflow=campaign-launch",
  "failed of the commonest workflow": () => "status=failed&workflow=order-fulfilment",
  "failed of the rarest workflow": () => "status=failed&workflow=fraud-check",
  "completed of the rarest workflow": () => "status=completed&workflow=fraud-check",
  "running of a workflow": () => "status=running&workflow=account-statement",
  "pending of the rarest workflow": () => "status=pending&workflow=fraud-check",
  "tag of one run": (facts, at) => `tag.orderId=${pick(facts.runs, at).order}`,
  "tag of some runs": (facts, at) => `tag.customerId=${pick(facts.runs, at).customer}`,
  "tag of every second run": () => "tag.region=eu",
  "failed of a tag of every second run": () => "tag.region=eu&status=failed",
  "two tags": (facts, at) => `tag.region=eu&tag.customerId=${pick(facts.runs, at).customer}`,
  "text: a business key": (facts, at) => `q=${pick(facts.runs, at).key}`,
  "text: a tag's value": (facts, at) => `q=${pick(facts.runs, at).customer}`,
  "text: a run's id": (facts, at) => `q=${pick(facts.runs, at).id}`,
  "text: the beginning of an id": (facts, at) => `q=${pick(facts.runs, at).id.slice(0, 13)}`,
  "text: nothing like it": (_, at) => `q=no-such-${at}`,
  "a problem": (facts, at) => `problem=${pick(facts.problems, at)}`,
  "last hour": (facts) => `createdAfter=${ago(facts, HOUR_MS)}`,
  "a day ten days ago": (facts) => `createdAfter=${ago(facts, 10 * DAY_MS)}&createdBefore=${ago(facts, 9 * DAY_MS)}`,
  "failed of last day": (facts) => `status=failed&createdAfter=${ago(facts, DAY_MS)}`,
  "a failed step": () => "step=charge-payment&status=failed",
  "a rare step": () => "step=ask-model",
  "an error": () => "error=timeout",
  "an error of nobody": () => "error=no-such-error",
  "a version": () => "version=3",
  "a version of the rarest workflow": () => "workflow=fraud-check&version=2",
  "took long": () => "tookOverMs=60000",
  "did one step and not another": () =>
    "workflow=order-fulfilment&where=did:charge-payment&where=-did:send-confirmation",
  "did a rare step": () => "where=did:ask-model",
  "many failed attempts": () => "where=failed-attempts:%3E2",
  "a step took long": () => "workflow=order-fulfilment&where=took.charge-payment:%3E1h",
  "a value of the input": () => "where=input.amountCents:%3E999999999",
  "all but a workflow": () => "notWorkflow=order-fulfilment",
  "failed but for an error": () => "status=failed&notError=timeout",
  "failed of a workflow, thirty days": (facts) =>
    `status=failed&workflow=seller-payout&createdAfter=${ago(facts, 30 * DAY_MS)}`,
};

const ofFilters: Call[] = Object.entries(FILTERS).flatMap(([name, filter]) => [
  { name: `runs, ${name}`, path: (facts, at) => `/runs?${filter(facts, at)}` },
  { name: `runs deep in, ${name}`, path: (facts, at) => `/runs?${filter(facts, at)}&${deep(facts, at)}` },
  { name: `counts, ${name}`, path: (facts, at) => `/runs/counts?${filter(facts, at)}` },
]);

const sorted: Call[] = [
  { name: "runs, oldest first", path: () => "/runs?sort=oldest" },
  { name: "runs, failed, latest end first", path: () => "/runs?status=failed&sort=ended" },
  { name: "runs with columns of values", path: () => "/runs?paths=input.customerId,output.status" },
];

const overTime: Call[] = [
  { name: "runs over time", path: () => "/runs/histogram" },
  {
    name: "runs over thirty days",
    path: (facts) => `/runs/histogram?createdAfter=${ago(facts, 30 * DAY_MS)}`,
    mostRows: 31 * 1_001, // a thousand and one in each bar
  },
  { name: "runs over time, of a workflow", path: () => "/runs/histogram?workflow=order-fulfilment" },
  { name: "runs over time, failed", path: () => "/runs/histogram?status=failed" },
  { name: "runs over time, a version", path: () => "/runs/histogram?version=3" },
  { name: "runs over time, a tag of every second run", path: () => "/runs/histogram?tag.region=eu" },
];

const ofRuns: Call[] = [
  { name: "run", path: (facts, at) => `/runs/${pick(facts.runs, at).id}` },
  { name: "run, failed", path: (facts, at) => `/runs/${pick(facts.failedRuns, at)}` },
  { name: "run with children", path: (facts, at) => `/runs/${pick(facts.parents, at)}` },
  { name: "run's effects", path: (facts, at) => `/runs/${pick(facts.runs, at).id}/effects` },
  { name: "run's log", path: (facts, at) => `/runs/${pick(facts.runs, at).id}/logs?q=stage` },
  { name: "run's children", path: (facts, at) => `/runs/${pick(facts.parents, at)}/children` },
  { name: "run's steps", path: (facts, at) => `/runs/${pick(facts.runs, at).id}/steps` },
  { name: "a step of a run", path: (facts, at) => `/runs/${pick(facts.runs, at).id}/steps/charge-payment` },
  { name: "what is normal for a run", path: (facts, at) => `/runs/${pick(facts.runs, at).id}/normal` },
  { name: "run's spans", path: (facts, at) => `/runs/${pick(facts.runs, at).id}/spans` },
];

const ofProblems: Call[] = [
  { name: "problems", path: () => "/problems" },
  { name: "problems, open", path: () => "/problems?status=open" },
  { name: "problems of a workflow", path: () => "/problems?workflow=seller-payout" },
  { name: "problems, text", path: (_, at) => `/problems?q=${pick(["timeout", "503", "declined", "nothing"], at)}` },
  { name: "problems, watched", path: () => "/problems?watched=true" },
  { name: "problems of an assignee", path: () => "/problems?assignee=ada" },
  { name: "problem", path: (facts, at) => `/problems/${pick(facts.problems, at)}` },
  { name: "what was tried on a problem", path: (facts, at) => `/problems/${pick(facts.problems, at)}/tried` },
  { name: "a problem's run to probe", path: (facts, at) => `/problems/${pick(facts.problems, at)}/probe-candidate` },
];

const ofCompensations: Call[] = [
  { name: "compensations", path: () => "/compensations" },
  ...["failed", "by_hand", "running", "owed", "settled"].map((lane) => ({
    name: `compensations, ${lane}`,
    path: () => `/compensations?lane=${lane}`,
  })),
  { name: "compensations of a workflow", path: () => "/compensations?workflow=refund-request" },
  { name: "compensations, settled of a workflow", path: () => "/compensations?lane=settled&workflow=fraud-check" },
  { name: "compensations, taken by nobody", path: () => "/compensations?free=true" },
  { name: "compensations, of an assignee", path: () => "/compensations?assignee=ada" },
  { name: "compensations, counts", path: () => "/compensations/counts" },
];

const ofEffects: Call[] = [
  { name: "effects", path: () => "/effects" },
  { name: "effects of a step", path: () => "/effects?step=charge-payment" },
  { name: "effects of a rare step", path: () => "/effects?step=ask-model" },
  { name: "effects of failed runs", path: () => "/effects?status=failed" },
  { name: "effects in doubt", path: () => "/effects?attention=outcome_unknown" },
  {
    name: "effects of an hour",
    path: (facts, at) => {
      const from = pick(facts.runs, at).at;
      return `/effects?since=${from.toISOString()}&until=${new Date(from.getTime() + HOUR_MS).toISOString()}`;
    },
  },
  { name: "effects deep in", path: (facts, at) => `/effects?cursor=${encodeCursor([pick(facts.runs, at).id, 1, ""])}` },
];

const ofTheRest: Call[] = [
  { name: "overview", path: () => "/overview" },
  ...["1h", "24h"].map((window) => ({ name: `flow, ${window}`, path: () => `/flow?window=${window}` })),
  { name: "flow of a workflow", path: () => "/workflows/order-fulfilment/flow?window=24h" },
  { name: "database", path: () => "/database" },
  { name: "views", path: () => "/views" },
  { name: "search, a key", path: (facts, at) => `/search?q=${pick(facts.runs, at).key}` },
  { name: "search, a tag's value", path: (facts, at) => `/search?q=${pick(facts.runs, at).customer}` },
  { name: "search, a word", path: (_, at) => `/search?q=${pick(["payment", "timeout", "no-such"], at)}` },
  { name: "approvals", path: () => "/approvals" },
  { name: "workflows", path: () => "/workflows" },
  { name: "workers", path: () => "/workers" },
  { name: "schedules", path: () => "/schedules" },
  { name: "schedule", path: () => "/schedules/user-sync-nightly" },
  { name: "retention", path: () => "/retention" },
  { name: "operations", path: () => "/operations" },
  { name: "operations of a workflow", path: () => "/operations?workflow=order-fulfilment" },
  { name: "operation", path: (facts, at) => `/operations/${pick(facts.operations, at)}` },
  { name: "operation's items", path: (facts, at) => `/operations/${pick(facts.operations, at)}/items` },
  { name: "operation's proof", path: (facts, at) => `/operations/${pick(facts.operations, at)}/proof` },
  { name: "plan", path: (facts, at) => `/plans/${pick(facts.plans, at)}` },
  { name: "plan approvals", path: () => "/plan-approvals" },
  { name: "deploys", path: () => "/deploys" },
  { name: "deploys of a workflow", path: () => "/deploys?workflow=order-fulfilment" },
  { name: "alerts", path: () => "/alerts" },
  { name: "log lines", path: () => "/logs" },
  { name: "log lines with a word", path: (_, at) => `/logs?q=${pick(["stage", "no-such-word"], at)}` },
  { name: "what changed between versions", path: () => "/workflows/order-fulfilment/changes?from=1&to=2" },
  { name: "verifications", path: () => "/workflows/order-fulfilment/verifications" },
  { name: "audit, whether it is intact", path: () => "/audit/chain" },
  { name: "audit", path: () => "/audit" },
  { name: "audit deep in", path: (facts, at) => `/audit?cursor=${encodeCursor([pick(facts.audit, at)])}` },
  { name: "audit of an actor", path: () => "/audit?actor=operator-3" },
  { name: "audit of nobody", path: () => "/audit?actor=nobody" },
  { name: "audit of an act", path: () => "/audit?act=rerun" },
  { name: "audit of a workflow", path: () => "/audit?workflow=fraud-check" },
  { name: "audit, a workflow's act", path: () => "/audit?workflow=fraud-check&act=rerun" },
  { name: "audit of a run", path: (facts, at) => `/audit?runId=${pick(facts.failedRuns, at)}` },
  { name: "audit, refused", path: () => "/audit?result=denied,failed" },
  { name: "audit of a day", path: (facts) => `/audit?since=${ago(facts, DAY_MS)}&until=${ago(facts, 0)}` },
];

export const CALLS: readonly Call[] = [
  ...ofFilters,
  ...sorted,
  ...overTime,
  ...ofRuns,
  ...ofProblems,
  ...ofCompensations,
  ...ofEffects,
  ...ofTheRest,
];
