"use client";

import {
  type QueryFunctionContext,
  type QueryKey,
  type UseQueryResult,
  useQueries,
  useQuery,
} from "@tanstack/react-query";
import { useMemo, useRef } from "react";
import { mergeNewest } from "../../engine/fleet/merge-newest";
import { type Depth, Reach } from "../../engine/fleet/reach";
import { clientOfCell } from "../client/cells";
import { ApiError } from "../client/client";
import { type NewestRuns, newestRuns } from "../client/newest-runs";
import type { ExecutionRequest, Operation } from "../contract/operations";
import type { Plan, PlanRequest } from "../contract/plans";
import type { RunFilter } from "../contract/requests";
import type { OverviewResponse } from "../contract/responses";
import type { RunListItem } from "../contract/run";
import { keyOfCell, query } from "./query";

/** One console of a fleet. */
export interface Cell {
  name: string;
  url: string;
  /** It is this one. */
  isOwn: boolean;
}

/** What a cell has answered last, and why it does not answer now. */
export interface OfCell<Answer> {
  cell: Cell;
  answer: Answer | undefined;
  error: Error | null;
  /** When `answer` arrived, in milliseconds since 1970; 0 before the first. */
  at: number;
  retry: () => void;
}

/** As it is kept: a cell that does not answer keeps its last answer, and is not forgotten while it is asked again. */
type Kept<Answer> = Omit<OfCell<Answer>, "cell" | "retry">;

const REFETCH_MS = 15_000;

export const useCells = () =>
  useQuery({
    ...query("/v1/cells", {}),
    staleTime: "static",
    select: ({ own, cells }) => cells.map((cell): Cell => ({ ...cell, isOwn: cell.name === own })),
  });

const asOfCells =
  <Answer>(cells: readonly Cell[]) =>
  (asked: UseQueryResult<Kept<Answer>>[]): OfCell<Answer>[] =>
    asked.map(({ data = NOTHING_YET, refetch }, index) => ({
      ...(data as Kept<Answer>),
      cell: cells[index] as Cell,
      retry: () => void refetch(),
    }));

const NOTHING_YET: Kept<never> = { answer: undefined, error: null, at: 0 };

/** A read of one cell: that it does not answer is what it has to say. */
const ofCell = <Answer>(queryKey: QueryKey, read: (signal: AbortSignal) => Promise<Answer>) => ({
  queryKey,
  queryFn: async ({ signal, client }: QueryFunctionContext): Promise<Kept<Answer>> => {
    try {
      return { answer: await read(signal), error: null, at: Date.now() };
    } catch (error) {
      if (signal.aborted) throw error;
      return { ...(client.getQueryData<Kept<Answer>>(queryKey) ?? NOTHING_YET), error: error as Error };
    }
  },
});

const clientOf = ({ name, isOwn }: Cell) => clientOfCell(name, isOwn ? name : null);

export const useOverviews = (cells: readonly Cell[]): OfCell<OverviewResponse>[] =>
  useQueries({
    queries: cells.map((cell) => ({
      ...ofCell(keyOfCell(cell.name, "/v1/overview"), (signal) => clientOf(cell).read("/v1/overview", {}, { signal })),
      refetchInterval: REFETCH_MS,
    })),
    combine: asOfCells<OverviewResponse>(cells),
  });

export type RunOfCell = RunListItem & { cell: Cell };

/** The newest runs of all cells that fit. While more are asked for, those that are known stay. */
export function useRunsOfCells(cells: readonly Cell[], filter: RunFilter, depth: Depth) {
  const key = JSON.stringify([filter, depth, cells.map(({ name }) => name)]);
  const { reach } = useMemo(() => ({ key, reach: new Reach(depth, cells.length) }), [key, depth, cells.length]);
  const last = useRef(new Map<string, Kept<NewestRuns>>());
  const answers = useQueries({
    queries: cells.map((cell) => ({
      ...ofCell(keyOfCell(cell.name, "/v1/runs", filter, depth), async (signal) => {
        const answer = await newestRuns(clientOf(cell), cell.name, filter, reach, signal);
        last.current.set(cell.name, { answer, error: null, at: Date.now() });
        return answer;
      }),
      placeholderData: () => last.current.get(cell.name),
      // A deep search is repeated when it is asked for, not by the clock.
      refetchInterval: depth.searches === 1 && REFETCH_MS,
    })),
    combine: asOfCells<NewestRuns>(cells),
  });
  const looked = answers.flatMap(({ cell, answer, error }) =>
    answer && !error ? [{ to: answer.to, runs: answer.runs.map((run): RunOfCell => ({ ...run, cell })) }] : [],
  );
  return { answers, ...mergeNewest(looked, depth.runs) };
}

/** The plan of an action in each cell. */
export const usePlansOfCells = (cells: readonly Cell[], request: PlanRequest): OfCell<Plan>[] =>
  useQueries({
    queries: cells.map((cell) => ({
      ...ofCell(keyOfCell(cell.name, "/v1/plans", request), (signal) =>
        clientOf(cell).post("/v1/plans", {}, { request, signal }),
      ),
      staleTime: "static" as const,
      gcTime: 0,
    })),
    combine: asOfCells<Plan>(cells),
  });

/** Carries out a cell's plan: sent again with the same key, it is done once. */
export const executeInCell = (cell: Cell, plan: Plan, request: ExecutionRequest, key: string): Promise<Operation> =>
  clientOf(cell).post(
    "/v1/plans/{planId}/executions",
    { planId: plan.id },
    { request, idempotencyKey: `${key}:${cell.name}` },
  );

/** The operations that began in the cells, followed until they end. */
export const useOperationsOfCells = (begun: readonly { cell: Cell; operation: Operation }[]): OfCell<Operation>[] =>
  useQueries({
    queries: begun.map(({ cell, operation }) => ({
      ...ofCell(
        keyOfCell(cell.name, "/v1/operations/{operationId}", operation.id),
        (signal): Promise<Operation> =>
          clientOf(cell).read("/v1/operations/{operationId}", { operationId: operation.id }, { signal }),
      ),
      initialData: { answer: operation, error: null, at: Date.now() },
      refetchInterval: ({ state }: { state: { data: Kept<Operation> | undefined } }) =>
        state.data?.answer?.finishedAt == null ? 2_000 : (false as const),
    })),
    combine: asOfCells<Operation>(begun.map(({ cell }) => cell)),
  });

/** Why a cell does not answer, in words. */
export const troubleOf = (error: Error): string =>
  error instanceof ApiError ? error.message : "Something unexpected happened.";
