import { type InfiniteData, infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { FlowWindow } from "../../engine/flow/rollup";
import type { RunStatus } from "../../engine/runs/run";
import type { EffectVerdict } from "../../engine/steps/effect-verdict";
import { read } from "../client/browser";
import type { Given, Read } from "../client/client";
import type { AuditFilter, AuditListResponse } from "../contract/audit";
import type { EffectFilter, EffectListResponse, RunEffectsResponse } from "../contract/effects";
import type { ChildListResponse } from "../contract/family";
import type { LogFilter, LogSearchResponse, RunLogResponse } from "../contract/log";
import type { OperationAndRuns, OperationItemListResponse, OperationListResponse } from "../contract/operations";
import type { PlanApprovalListResponse, PlanItemListResponse } from "../contract/plans";
import type { ProblemFilter, ProblemListResponse } from "../contract/problems";
import type { CompensationFilter, RunFilter } from "../contract/requests";
import type { ApprovalListResponse, CompensationListResponse, RunListResponse } from "../contract/responses";
import type { ScheduleListResponse } from "../contract/schedules";
import type { DrawnStep, StepListResponse } from "../contract/steps";
import { keyOf, pages, query } from "./query";

// Notifications over the stream may be lost; polling is authoritative. Slow, because the stream normally comes first.
const REFETCH_MS = 15_000;
/** Heartbeats change without a change event. */
const WORKERS_REFETCH_MS = 5_000;

/** Polled by the clock; the previous answer stays on the screen until the next one arrives. */
const steady = { placeholderData: keepPreviousData, refetchInterval: REFETCH_MS } as const;

/** Filter, order (default: newest) and the values to pick. */
export type RunsAsked = Omit<Given<"/v1/runs">, "cursor" | "limit">;

/** Newest first: `data.runs` holds every page fetched so far, `fetchNextPage` gets older ones. */
export const runsQuery = (asked: RunsAsked, from?: Read) =>
  infiniteQueryOptions({ ...pages("/v1/runs", asked, from), ...steady, select: allRuns });

export const runCountsQuery = (filter: RunFilter) => queryOptions({ ...query("/v1/runs/counts", filter), ...steady });

/** Refetched by the clock only: one more run in a bar does not matter. */
export const runHistogramQuery = (filter: RunFilter) =>
  queryOptions({ ...query("/v1/runs/histogram", filter), ...steady });

/** The first page of a long run; nearly every run fits in it. */
const FIRST_STEPS = 200;

/** With its first 200 steps, or all of them. */
export const runQuery = (runId: string, from?: Read) =>
  queryOptions({ ...query("/v1/runs/{runId}", { runId, steps: FIRST_STEPS }, from), refetchInterval: REFETCH_MS });

/** With up to 5,000 steps: for action dialogs, which name the affected steps. */
export const wholeRunQuery = (runId: string, from?: Read) =>
  queryOptions({ ...query("/v1/runs/{runId}", { runId }, from), refetchInterval: REFETCH_MS });

const STEPS_PAGE_SIZE = 1_000;
/** A run of many pages refetches them at this pace while it runs; its newest steps come with the run itself. */
const STEPS_REFETCH_MS = 5_000;

/** `as`: the run's state once it is at rest: the steps are refetched when it changes. */
export const stepsQuery = (runId: string, { as, live }: { as: string; live: boolean }) =>
  infiniteQueryOptions({
    ...pages("/v1/runs/{runId}/steps", { runId, limit: STEPS_PAGE_SIZE }),
    queryKey: keyOf("/v1/runs/{runId}/steps", { runId }, as),
    placeholderData: keepPreviousData,
    staleTime: STEPS_REFETCH_MS,
    refetchInterval: live ? STEPS_REFETCH_MS : false,
    select: ({ pages }: InfiniteData<StepListResponse>) => pages.flatMap((page) => page.steps),
  });

/** For a child that is expanded in its parent's timeline; its page shows the rest of a longer one. */
const MOST_NESTED_STEPS = 10_000;

/** Read in pages, shown at once: a child's timeline does not grow row by row. `as` as in {@link stepsQuery}. */
export const nestedStepsQuery = (runId: string, { as, live }: { as: string; live: boolean }) =>
  queryOptions({
    queryKey: keyOf("/v1/runs/{runId}/steps", { runId }, "nested"),
    queryFn: async ({ signal }) => {
      const steps: DrawnStep[] = [];
      let cursor: string | null | undefined;
      while (cursor !== null && steps.length < MOST_NESTED_STEPS) {
        const page = await read("/v1/runs/{runId}/steps", { runId, cursor, limit: STEPS_PAGE_SIZE }, { signal });
        steps.push(...page.steps);
        cursor = page.nextCursor;
      }
      return { as, steps };
    },
    staleTime: STEPS_REFETCH_MS,
    refetchInterval: ({ state }) => (live || (state.data && state.data.as !== as) ? STEPS_REFETCH_MS : false),
  });

export const stepQuery = (runId: string, step: string) =>
  queryOptions(query("/v1/runs/{runId}/steps/{step}", { runId, step }));

const LOG_PAGE_SIZE = 200;

/** In the order in which they were logged. */
export const runLogQuery = (runId: string, q: string) =>
  infiniteQueryOptions({
    ...pages("/v1/runs/{runId}/logs", { runId, q, limit: LOG_PAGE_SIZE }),
    ...steady,
    select: allLines,
  });

/** Lines of all runs, newest first. `follows`: the first pages are read again every two seconds. */
export const logSearchQuery = (filter: LogFilter, follows = false, from?: Read) =>
  infiniteQueryOptions({
    ...pages("/v1/logs", { ...filter, limit: LOG_SEARCH_PAGE_SIZE }, from),
    placeholderData: keepPreviousData,
    refetchInterval: follows ? TAIL_MS : false,
    select: allFoundLines,
  });
const LOG_SEARCH_PAGE_SIZE = 100;
const TAIL_MS = 2_000;

/** The child runs of a run, newest first; with these statuses, or all. */
export const childrenQuery = (runId: string, status: RunStatus[]) =>
  infiniteQueryOptions({ ...pages("/v1/runs/{runId}/children", { runId, status }), ...steady, select: allChildren });

const EFFECTS_PAGE_SIZE = 100;

/**
 * The run's effects in the order of its steps, with the overall verdict. Refetched when the run changes, and not by the
 * clock: a long run's ledger costs more than its page.
 */
export const runEffectsQuery = (runId: string, verdict: EffectVerdict[]) =>
  infiniteQueryOptions({
    ...pages("/v1/runs/{runId}/effects", { runId, verdict, limit: EFFECTS_PAGE_SIZE }),
    placeholderData: keepPreviousData,
    select: allRunEffects,
  });

/** A report, newest run first: it stays on the screen until it is requested again. */
export const effectsQuery = (filter: EffectFilter, from?: Read) =>
  infiniteQueryOptions({
    ...pages("/v1/effects", { ...filter, limit: EFFECTS_PAGE_SIZE }, from),
    placeholderData: keepPreviousData,
    select: allEffects,
  });

/** Newest first. */
export const auditQuery = (filter: AuditFilter, from?: Read) =>
  infiniteQueryOptions({ ...pages("/v1/audit", filter, from), ...steady, select: allAudit });

/** Reads a thousand rows: on demand, and not by the clock. */
export const auditChainQuery = () => queryOptions(query("/v1/audit/chain", {}));

export const overviewQuery = (from?: Read) =>
  queryOptions({ ...query("/v1/overview", {}, from), refetchInterval: REFETCH_MS });

/** A lane of the board, or all that is open, longest waiting first. */
export const compensationsQuery = (filter: CompensationFilter, from?: Read) =>
  infiniteQueryOptions({ ...pages("/v1/compensations", filter, from), ...steady, select: allCompensations });

export const compensationCountsQuery = ({ lane: _, ...others }: CompensationFilter) =>
  queryOptions({ ...query("/v1/compensations/counts", others), ...steady });

/** Plans that wait for a second person or are approved, longest first. */
export const planApprovalsQuery = (from?: Read) =>
  infiniteQueryOptions({
    ...pages("/v1/plan-approvals", {}, from),
    refetchInterval: REFETCH_MS,
    select: ({ pages }: InfiniteData<PlanApprovalListResponse>) => pages.flatMap((page) => page.planApprovals),
  });

/** A plan that was made; only its approval changes. */
export const storedPlanQuery = (planId: string) => queryOptions(query("/v1/plans/{planId}", { planId }));

/** The list of people changes rarely. */
const ASSIGNEES_STALE_MS = 60_000;

/** Possible assignees for compensations of a workflow; null without sign-in: any name. */
export const assigneesQuery = (workflow: string) =>
  queryOptions({ ...query("/v1/workflows/{workflow}/assignees", { workflow }), staleTime: ASSIGNEES_STALE_MS });

/** Questions that wait for an answer, oldest first. */
export const approvalsQuery = (from?: Read) =>
  infiniteQueryOptions({ ...pages("/v1/approvals", {}, from), refetchInterval: REFETCH_MS, select: allApprovals });

export const workersQuery = (from?: Read) =>
  queryOptions({ ...query("/v1/workers", {}, from), refetchInterval: WORKERS_REFETCH_MS });

export const workflowsQuery = (from?: Read) =>
  queryOptions({ ...query("/v1/workflows", {}, from), refetchInterval: REFETCH_MS });

/** By name. */
export const schedulesQuery = (from?: Read) =>
  infiniteQueryOptions({
    ...pages("/v1/schedules", {}, from),
    refetchInterval: WORKERS_REFETCH_MS,
    select: allSchedules,
  });

export const scheduleQuery = (name: string, from?: Read) =>
  queryOptions({ ...query("/v1/schedules/{name}", { name }, from), refetchInterval: WORKERS_REFETCH_MS });

/** An operation moves item by item. */
const OPERATION_REFETCH_MS = 2_000;

/** Newest first. */
export const operationsQuery = (from?: Read) =>
  infiniteQueryOptions({
    ...pages("/v1/operations", {}, from),
    refetchInterval: WORKERS_REFETCH_MS,
    select: ({ pages }: InfiniteData<OperationListResponse>) => pages.flatMap((page) => page.operations),
  });

export const operationQuery = (operationId: string, from?: Read) =>
  queryOptions({
    ...query("/v1/operations/{operationId}", { operationId }, from),
    refetchInterval: ({ state }) => (state.data && isAtRest(state.data) ? REFETCH_MS : OPERATION_REFETCH_MS),
  });

/** It has ended, and so have the runs that it released. */
export const isAtRest = ({ finishedAt, runs }: OperationAndRuns) => finishedAt !== null && runs.underWay === 0;

/** `live`: items are still being carried out, or their runs are under way. */
export const operationItemsQuery = (operationId: string, list: "all" | "others", live: boolean) =>
  infiniteQueryOptions({
    ...pages("/v1/operations/{operationId}/items", { operationId, list }),
    placeholderData: keepPreviousData,
    refetchInterval: live ? OPERATION_REFETCH_MS : REFETCH_MS,
    select: ({ pages }: InfiniteData<OperationItemListResponse>) => pages.flatMap((page) => page.items),
  });

/** Its pages cost more than the operation itself: judged once for each `as`, the state of the runs. */
export const operationProofQuery = (operationId: string, as: string) =>
  infiniteQueryOptions({
    ...pages("/v1/operations/{operationId}/proof", { operationId, limit: 500 }),
    queryKey: keyOf("/v1/operations/{operationId}/proof", { operationId }, as),
    staleTime: "static",
  });

/** A plan does not change. */
export const planItemsQuery = (planId: string, list: "all" | "included" | "left_out") =>
  infiniteQueryOptions({
    ...pages("/v1/plans/{planId}/items", { planId, list }),
    staleTime: "static",
    select: ({ pages }: InfiniteData<PlanItemListResponse>) => pages.flatMap((page) => page.items),
  });

/** Latest first. */
export const problemsQuery = (filter: ProblemFilter, from?: Read) =>
  infiniteQueryOptions({ ...pages("/v1/problems", filter, from), ...steady, select: allProblems });

export const problemQuery = (problemId: string, from?: Read) =>
  queryOptions({ ...query("/v1/problems/{problemId}", { problemId }, from), refetchInterval: REFETCH_MS });

export const problemTriedQuery = (problemId: string) =>
  queryOptions({ ...query("/v1/problems/{problemId}/tried", { problemId }), ...steady });

/** For the dialog that begins a probe: what it shows is what is sent. */
export const probeCandidateQuery = (problemId: string) =>
  queryOptions({ ...query("/v1/problems/{problemId}/probe-candidate", { problemId }), staleTime: 0 });

/** As the user types: an outdated search is aborted. */
export const searchQuery = (q: string) =>
  queryOptions({ ...query("/v1/search", { q }), enabled: q !== "", retry: false });

/** The preview of a backfill: refetched whenever its dialog shows it. `range` null: nothing is requested. */
export const backfillQuery = (name: string, range: { from: string; to: string } | null) =>
  queryOptions({
    ...query("/v1/schedules/{name}/backfills", { name, ...range }),
    staleTime: 0,
    retry: false,
    enabled: range !== null,
  });

/** How long ended runs are kept, and what is deleted next. */
export const retentionQuery = () => queryOptions({ ...query("/v1/retention", {}), refetchInterval: REFETCH_MS });

/** How often charts are refetched by default: runs are counted every three seconds. `false` fetches once. */
type Pace = number | false;

export const flowQuery = (window: FlowWindow, workflow: string[], refetchMs: Pace = REFETCH_MS, from?: Read) =>
  queryOptions({
    ...query("/v1/flow", { window, workflow }, from),
    placeholderData: keepPreviousData,
    refetchInterval: refetchMs,
  });

export const workflowFlowQuery = (workflow: string, window: FlowWindow, refetchMs: Pace = REFETCH_MS, from?: Read) =>
  queryOptions({
    ...query("/v1/workflows/{workflow}/flow", { workflow, window }, from),
    placeholderData: keepPreviousData,
    refetchInterval: refetchMs,
  });

export const databaseQuery = (refetchMs: Pace = REFETCH_MS) =>
  queryOptions({ ...query("/v1/database", {}), refetchInterval: refetchMs });

function allRuns({ pages }: InfiniteData<RunListResponse>) {
  const last = pages.at(-1);
  return {
    runs: pages.flatMap((page) => page.runs),
    updatedAt: pages[0]?.updatedAt ?? null,
    /** Where the search stopped; null: as far as the page is long. */
    lookedBackTo: last?.lookedBackTo ?? null,
    /** Pages, up to the last, that ended because they read the maximum number of runs. */
    stops: pages.length - 1 - pages.findLastIndex((page) => page.lookedBackTo === null),
  };
}

/** The count of all levels comes with the first page. */
function allChildren({ pages }: InfiniteData<ChildListResponse>) {
  return { runs: pages.flatMap((page) => page.runs), descendants: pages[0]?.descendants ?? null };
}

function allRunEffects({ pages }: InfiniteData<RunEffectsResponse>) {
  return { effects: pages.flatMap((page) => page.effects), tally: pages[0]?.tally ?? null };
}

function allEffects({ pages }: InfiniteData<EffectListResponse>) {
  return { effects: pages.flatMap((page) => page.effects), updatedAt: pages[0]?.updatedAt ?? null };
}

const allAudit = ({ pages }: InfiniteData<AuditListResponse>) => pages.flatMap((page) => page.rows);

function allFoundLines({ pages }: InfiniteData<LogSearchResponse>) {
  return {
    lines: pages.flatMap((page) => page.lines),
    lookedBackTo: pages.at(-1)?.lookedBackTo ?? null,
    leavesOutMasked: pages[0]?.leavesOutMasked ?? false,
  };
}

function allLines({ pages }: InfiniteData<RunLogResponse>) {
  return { lines: pages.flatMap((page) => page.lines), full: pages[0]?.full ?? false };
}

function allCompensations({ pages }: InfiniteData<CompensationListResponse>) {
  return { compensations: pages.flatMap((page) => page.compensations), updatedAt: pages[0]?.updatedAt ?? null };
}

function allApprovals({ pages }: InfiniteData<ApprovalListResponse>) {
  return { approvals: pages.flatMap((page) => page.approvals), updatedAt: pages[0]?.updatedAt ?? null };
}

const allSchedules = ({ pages }: InfiniteData<ScheduleListResponse>) => ({
  schedules: pages.flatMap((page) => page.schedules),
  updatedAt: pages.at(-1)?.updatedAt ?? null,
});

const allProblems = ({ pages }: InfiniteData<ProblemListResponse>) => ({
  problems: pages.flatMap((page) => page.problems),
  behindMs: pages[0]?.behindMs ?? 0,
});
