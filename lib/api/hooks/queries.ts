import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { EffectVerdict } from "../../engine/effect-verdict";
import type { RunStatus } from "../../engine/run";
import { assigneesOf, type Reads, type RunsAsked, reads } from "../client";
import type { AuditFilter } from "../contract/audit";
import type { EffectFilter } from "../contract/effects";
import type { OperationAndRuns } from "../contract/operations";
import type { ProblemFilter } from "../contract/problems";
import type { CompensationFilter, RunFilter } from "../contract/requests";
import type { DrawnStep } from "../contract/steps";
import { queryKeys } from "./query-keys";

// Wake-ups over the stream are a courtesy; asking again is the truth. Slow, because the stream normally comes first.
const REFETCH_MS = 15_000;
/** Hearts beat without a change event. */
const WORKERS_REFETCH_MS = 5_000;
const PAGE_SIZE = 50;

/** Each query takes the reads it is answered by: over HTTP in a browser, the server's own in a page's prefetch. */
export const runsQuery = (asked: RunsAsked, from: Reads = reads) =>
  infiniteQueryOptions({
    queryKey: queryKeys.runs(asked),
    queryFn: ({ pageParam, signal }) => from.runs({ ...asked, cursor: pageParam, limit: PAGE_SIZE }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_MS,
  });

export const runCountsQuery = (filter: RunFilter, from: Reads = reads) =>
  queryOptions({
    queryKey: queryKeys.runCounts(filter),
    queryFn: ({ signal }) => from.runCounts(filter, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_MS,
  });

/** Asked again by the clock alone: a bar says no more for having grown by one. */
export const runHistogramQuery = (filter: RunFilter, from: Reads = reads) =>
  queryOptions({
    queryKey: queryKeys.runHistogram(filter),
    queryFn: ({ signal }) => from.runHistogram(filter, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_MS,
  });

/** A first screen of a long run; nearly every run is whole with it. */
const FIRST_STEPS = 200;

export const runQuery = (runId: string, from: Reads = reads) =>
  queryOptions({
    queryKey: queryKeys.run(runId),
    queryFn: ({ signal }) => from.run(runId, { steps: FIRST_STEPS, signal }),
    refetchInterval: REFETCH_MS,
  });

/** With up to 5,000 steps: for the dialogs of acts, which name what they touch. */
export const wholeRunQuery = (runId: string, from: Reads = reads) =>
  queryOptions({
    queryKey: queryKeys.wholeRun(runId),
    queryFn: ({ signal }) => from.run(runId, { signal }),
    refetchInterval: REFETCH_MS,
  });

const STEPS_PAGE_SIZE = 1_000;
/** A run of many pages is asked for them again at this pace while it goes on; its newest steps come with the run itself. */
const STEPS_REFETCH_MS = 5_000;

/** `as`: the run's state, where that has come to rest: of another, the steps are read anew. */
export const stepsQuery = (runId: string, { as, live }: { as: string; live: boolean }, from: Reads = reads) =>
  infiniteQueryOptions({
    queryKey: queryKeys.steps(runId, as),
    queryFn: ({ pageParam, signal }) => from.steps(runId, { cursor: pageParam, limit: STEPS_PAGE_SIZE }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    staleTime: STEPS_REFETCH_MS,
    refetchInterval: live ? STEPS_REFETCH_MS : false,
  });

/** Of a child that stands open in its parent's timeline; of a longer one the rest is on its page. */
const MOST_NESTED_STEPS = 10_000;

/** Read in pages, told at once: what is drawn of a child does not grow row by row. `as` as in {@link stepsQuery}. */
export const nestedStepsQuery = (runId: string, { as, live }: { as: string; live: boolean }, from: Reads = reads) =>
  queryOptions({
    queryKey: queryKeys.nestedSteps(runId),
    queryFn: async ({ signal }) => {
      const steps: DrawnStep[] = [];
      let cursor: string | null | undefined;
      while (cursor !== null && steps.length < MOST_NESTED_STEPS) {
        const page = await from.steps(runId, { cursor, limit: STEPS_PAGE_SIZE }, { signal });
        steps.push(...page.steps);
        cursor = page.nextCursor;
      }
      return { as, steps };
    },
    staleTime: STEPS_REFETCH_MS,
    refetchInterval: ({ state }) => (live || (state.data && state.data.as !== as) ? STEPS_REFETCH_MS : false),
  });

export const stepQuery = (runId: string, name: string, from: Reads = reads) =>
  queryOptions({
    queryKey: queryKeys.step(runId, name),
    queryFn: ({ signal }) => from.step(runId, name, { signal }),
  });

const LOG_PAGE_SIZE = 200;

export const runLogQuery = (runId: string, q: string, from: Reads = reads) =>
  infiniteQueryOptions({
    queryKey: queryKeys.runLog(runId, q),
    queryFn: ({ pageParam, signal }) => from.runLog(runId, { q, cursor: pageParam, limit: LOG_PAGE_SIZE }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_MS,
  });

export const childrenQuery = (runId: string, status: RunStatus[], from: Reads = reads) =>
  infiniteQueryOptions({
    queryKey: queryKeys.children(runId, status),
    queryFn: ({ pageParam, signal }) =>
      from.children(runId, { status, cursor: pageParam, limit: PAGE_SIZE }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_MS,
  });

const EFFECTS_PAGE_SIZE = 100;

/** Asked again when the run changes, and not by the clock: a long run's ledger costs more than its page. */
export const runEffectsQuery = (runId: string, verdict: EffectVerdict[], from: Reads = reads) =>
  infiniteQueryOptions({
    queryKey: queryKeys.runEffects(runId, verdict),
    queryFn: ({ pageParam, signal }) =>
      from.runEffects(runId, { verdict: some(verdict), cursor: pageParam, limit: EFFECTS_PAGE_SIZE }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  });

/** A report: what is on the screen stays until it is asked for anew. */
export const effectsQuery = (filter: EffectFilter, from: Reads = reads) =>
  infiniteQueryOptions({
    queryKey: queryKeys.effects(filter),
    queryFn: ({ pageParam, signal }) =>
      from.effects({ ...filter, cursor: pageParam, limit: EFFECTS_PAGE_SIZE }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  });

export const auditQuery = (filter: AuditFilter, from: Reads = reads) =>
  infiniteQueryOptions({
    queryKey: queryKeys.audit(filter),
    queryFn: ({ pageParam, signal }) => from.audit({ ...filter, cursor: pageParam, limit: PAGE_SIZE }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_MS,
  });

/** Walks a thousand rows: when somebody looks, and not by the clock. */
export const auditChainQuery = (from: Reads = reads) =>
  queryOptions({ queryKey: queryKeys.auditChain(), queryFn: ({ signal }) => from.auditChain({ signal }) });

const some = <Value>(values: Value[]) => (values.length > 0 ? values : undefined);

export const overviewQuery = (from: Reads = reads) =>
  queryOptions({
    queryKey: queryKeys.overview(),
    queryFn: ({ signal }) => from.overview({ signal }),
    refetchInterval: REFETCH_MS,
  });

export const compensationsQuery = (filter: CompensationFilter, from: Reads = reads) =>
  infiniteQueryOptions({
    queryKey: queryKeys.compensations(filter),
    queryFn: ({ pageParam, signal }) =>
      from.compensations({ ...filter, cursor: pageParam, limit: PAGE_SIZE }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_MS,
  });

export const compensationCountsQuery = (filter: CompensationFilter, from: Reads = reads) => {
  const { lane: _, ...others } = filter;
  return queryOptions({
    queryKey: queryKeys.compensationCounts(others),
    queryFn: ({ signal }) => from.compensationCounts(others, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_MS,
  });
};

export const planApprovalsQuery = (from: Reads = reads) =>
  infiniteQueryOptions({
    queryKey: queryKeys.planApprovals(),
    queryFn: ({ pageParam, signal }) => from.planApprovals({ cursor: pageParam, limit: PAGE_SIZE }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    refetchInterval: REFETCH_MS,
  });

/** Who there is changes rarely. */
const ASSIGNEES_STALE_MS = 60_000;

export const assigneesQuery = (workflow: string) =>
  queryOptions({
    queryKey: queryKeys.assignees(workflow),
    queryFn: ({ signal }) => assigneesOf(workflow, { signal }),
    staleTime: ASSIGNEES_STALE_MS,
  });

export const approvalsQuery = (from: Reads = reads) =>
  infiniteQueryOptions({
    queryKey: queryKeys.approvals(),
    queryFn: ({ pageParam, signal }) => from.approvals({ cursor: pageParam, limit: PAGE_SIZE }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    refetchInterval: REFETCH_MS,
  });

export const workersQuery = (from: Reads = reads) =>
  queryOptions({
    queryKey: queryKeys.workers(),
    queryFn: ({ signal }) => from.workers({ signal }),
    refetchInterval: WORKERS_REFETCH_MS,
  });

export const workflowsQuery = (from: Reads = reads) =>
  queryOptions({
    queryKey: queryKeys.workflows(),
    queryFn: ({ signal }) => from.workflows({ signal }),
    refetchInterval: REFETCH_MS,
  });

export const schedulesQuery = (from: Reads = reads) =>
  infiniteQueryOptions({
    queryKey: queryKeys.schedules(),
    queryFn: ({ pageParam, signal }) => from.schedules({ cursor: pageParam, limit: PAGE_SIZE }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    refetchInterval: WORKERS_REFETCH_MS,
  });

export const scheduleQuery = (name: string, from: Reads = reads) =>
  queryOptions({
    queryKey: queryKeys.schedule(name),
    queryFn: ({ signal }) => from.schedule(name, { signal }),
    refetchInterval: WORKERS_REFETCH_MS,
  });

/** An operation moves item by item. */
const OPERATION_REFETCH_MS = 2_000;

export const operationsQuery = (from: Reads = reads) =>
  infiniteQueryOptions({
    queryKey: queryKeys.operations(),
    queryFn: ({ pageParam, signal }) => from.operations({ cursor: pageParam, limit: PAGE_SIZE }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    refetchInterval: WORKERS_REFETCH_MS,
  });

export const operationQuery = (id: string, from: Reads = reads) =>
  queryOptions({
    queryKey: queryKeys.operation(id),
    queryFn: ({ signal }) => from.operation(id, { signal }),
    refetchInterval: ({ state }) => (state.data && isAtRest(state.data) ? REFETCH_MS : OPERATION_REFETCH_MS),
  });

/** It has ended, and so have the runs that it let go. */
export const isAtRest = ({ finishedAt, runs }: OperationAndRuns) => finishedAt !== null && runs.underWay === 0;

export const operationItemsQuery = (id: string, list: "all" | "others", live: boolean, from: Reads = reads) =>
  infiniteQueryOptions({
    queryKey: queryKeys.operationItems(id, list),
    queryFn: ({ pageParam, signal }) =>
      from.operationItems(id, { list, cursor: pageParam, limit: PAGE_SIZE }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: live ? OPERATION_REFETCH_MS : REFETCH_MS,
  });

export const planItemsQuery = (planId: string, list: "all" | "included" | "left_out", from: Reads = reads) =>
  infiniteQueryOptions({
    queryKey: queryKeys.planItems(planId, list),
    queryFn: ({ pageParam, signal }) =>
      from.planItems(planId, { list, cursor: pageParam, limit: PAGE_SIZE }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    staleTime: "static",
  });

export const problemsQuery = (filter: ProblemFilter, from: Reads = reads) =>
  infiniteQueryOptions({
    queryKey: queryKeys.problems(filter),
    queryFn: ({ pageParam, signal }) => from.problems({ ...filter, cursor: pageParam, limit: PAGE_SIZE }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_MS,
  });

export const problemQuery = (id: string, from: Reads = reads) =>
  queryOptions({
    queryKey: queryKeys.problem(id),
    queryFn: ({ signal }) => from.problem(id, { signal }),
    refetchInterval: REFETCH_MS,
  });

/** As somebody types: a question that is left is given up. */
export const searchQuery = (q: string, from: Reads = reads) =>
  queryOptions({
    queryKey: queryKeys.search(q),
    queryFn: ({ signal }) => from.search({ q }, { signal }),
    enabled: q !== "",
    retry: false,
  });

/** What a backfill would do: asked for anew whenever its dialog shows it. */
export const backfillQuery = (name: string, range: { from: string; to: string }, from: Reads = reads) =>
  queryOptions({
    queryKey: queryKeys.backfill(name, range.from, range.to),
    queryFn: ({ signal }) => from.backfillPreview(name, range, { signal }),
    staleTime: 0,
    retry: false,
  });

export const retentionQuery = (from: Reads = reads) =>
  queryOptions({
    queryKey: queryKeys.retention(),
    queryFn: ({ signal }) => from.retention({ signal }),
    refetchInterval: REFETCH_MS,
  });
