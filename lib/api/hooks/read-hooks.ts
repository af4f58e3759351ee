"use client";

import { type InfiniteData, type UseQueryResult, useInfiniteQuery, useQueries, useQuery } from "@tanstack/react-query";
import type { EffectVerdict } from "../../engine/effect-verdict";
import type { RunStatus } from "../../engine/run";
import type { RunsAsked } from "../client";
import type { AuditFilter, AuditListResponse } from "../contract/audit";
import type { EffectFilter, EffectListResponse, RunEffectsResponse } from "../contract/effects";
import type { ChildListResponse } from "../contract/family";
import type { RunLogResponse } from "../contract/log";
import type { CompensationFilter, RunFilter } from "../contract/requests";
import type { ApprovalListResponse, CompensationListResponse, RunListResponse } from "../contract/responses";
import type { Run } from "../contract/run";
import {
  approvalsQuery,
  assigneesQuery,
  auditChainQuery,
  auditQuery,
  childrenQuery,
  compensationCountsQuery,
  compensationsQuery,
  effectsQuery,
  overviewQuery,
  retentionQuery,
  runCountsQuery,
  runEffectsQuery,
  runHistogramQuery,
  runLogQuery,
  runQuery,
  runsQuery,
  wholeRunQuery,
  workersQuery,
  workflowsQuery,
} from "./queries";

/** Newest first, page by page: `data.runs` holds every page fetched so far, `fetchNextPage` gets older ones. */
export const useRuns = (asked: RunsAsked) => useInfiniteQuery({ ...runsQuery(asked), select: allRuns });

export const useRunHistogram = (filter: RunFilter, wanted: boolean) =>
  useQuery({ ...runHistogramQuery(filter), enabled: wanted });

export const useRunCounts = (filter: RunFilter) => useQuery(runCountsQuery(filter));

/** With its first 200 steps, or all that it has. */
export const useRun = (runId: string) => useQuery(runQuery(runId));

/** The same of several, one question each. */
export const useRunsById = (runIds: readonly string[]) =>
  useQueries({ queries: runIds.map((runId) => runQuery(runId)), combine: runsOrNot });

const runsOrNot = (answers: UseQueryResult<Run>[]) =>
  answers.map(({ data, isError, refetch }) => ({
    run: data ?? null,
    failed: isError,
    retry: () => void refetch(),
  }));

/** With up to 5,000 steps. */
export const useWholeRun = (runId: string) => useQuery(wholeRunQuery(runId));

/** In the order in which they were said, page by page. */
export const useRunLog = (runId: string, q: string) => useInfiniteQuery({ ...runLogQuery(runId, q), select: allLines });

/** The runs that a run has started, newest first, page by page; of these statuses, or all. */
export const useChildren = (runId: string, status: RunStatus[]) =>
  useInfiniteQuery({ ...childrenQuery(runId, status), select: allChildren });

/** What the run did to the world, in the order of its steps, page by page, with the verdict on the whole. */
export const useRunEffects = (runId: string, verdict: EffectVerdict[]) =>
  useInfiniteQuery({ ...runEffectsQuery(runId, verdict), select: allRunEffects });

/** Newest run first, page by page. */
export const useEffects = (filter: EffectFilter) => useInfiniteQuery({ ...effectsQuery(filter), select: allEffects });

/** Newest first, page by page. */
export const useAudit = (filter: AuditFilter) => useInfiniteQuery({ ...auditQuery(filter), select: allAudit });

export const useAuditChain = () => useQuery(auditChainQuery());

export const useOverview = () => useQuery(overviewQuery());

/** A lane of the board, or all that is open, longest owed first, page by page. */
export const useCompensations = (filter: CompensationFilter) =>
  useInfiniteQuery({ ...compensationsQuery(filter), select: allCompensations });

export const useCompensationCounts = (filter: CompensationFilter) => useQuery(compensationCountsQuery(filter));

/** Who can be given the undos of a workflow; null: whoever, for nobody signs in. */
export const useAssignees = (workflow: string) => useQuery(assigneesQuery(workflow));

/** Questions that wait for an answer, oldest first, page by page. */
export const useApprovals = () => useInfiniteQuery({ ...approvalsQuery(), select: allApprovals });

export const useWorkers = () => useQuery(workersQuery());

/** How long ended runs are kept, and what goes next. */
export const useRetention = () => useQuery(retentionQuery());

export const useWorkflows = () => useQuery(workflowsQuery());

// Outside the hooks, so that React Query can tell that the selection did not change.
function allRuns({ pages }: InfiniteData<RunListResponse>) {
  const last = pages.at(-1);
  return {
    runs: pages.flatMap((page) => page.runs),
    updatedAt: pages[0]?.updatedAt ?? null,
    /** So far back has been looked, and no further; null: as far as the page is long. */
    lookedBackTo: last?.lookedBackTo ?? null,
    /** Pages, up to the last, that ended because so many runs were looked at. */
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

function allLines({ pages }: InfiniteData<RunLogResponse>) {
  return { lines: pages.flatMap((page) => page.lines), full: pages[0]?.full ?? false };
}

function allCompensations({ pages }: InfiniteData<CompensationListResponse>) {
  return { compensations: pages.flatMap((page) => page.compensations), updatedAt: pages[0]?.updatedAt ?? null };
}

function allApprovals({ pages }: InfiniteData<ApprovalListResponse>) {
  return { approvals: pages.flatMap((page) => page.approvals), updatedAt: pages[0]?.updatedAt ?? null };
}
