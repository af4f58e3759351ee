"use client";

import { keepPreviousData, type UseQueryResult, useQueries, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { mergeNewest } from "../../engine/fleet/merge-newest";
import { Reach } from "../../engine/fleet/reach";
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

const REFETCH_MS = 15_000;

export const useCells = () =>
  useQuery({
    ...query("/v1/cells", {}),
    staleTime: "static",
    select: ({ own, cells }) => cells.map((cell): Cell => ({ ...cell, isOwn: cell.name === own })),
  });

const asOfCells =
  <Answer>(cells: readonly Cell[]) =>
  (answers: UseQueryResult<Answer>[]): OfCell<Answer>[] =>
    answers.map(({ data, error, dataUpdatedAt, refetch }, index) => ({
      cell: cells[index] as Cell,
      answer: data,
      error,
      at: dataUpdatedAt,
      retry: () => void refetch(),
    }));

const clientOf = ({ name, isOwn }: Cell) => clientOfCell(name, isOwn ? name : null);

export const useOverviews = (cells: readonly Cell[]): OfCell<OverviewResponse>[] =>
  useQueries({
    queries: cells.map((cell) => ({
      queryKey: keyOfCell(cell.name, "/v1/overview"),
      queryFn: ({ signal }: { signal: AbortSignal }) => clientOf(cell).read("/v1/overview", {}, { signal }),
      refetchInterval: REFETCH_MS,
      retry: false,
    })),
    combine: asOfCells<OverviewResponse>(cells),
  });

export type RunOfCell = RunListItem & { cell: Cell };

/** The newest runs of all cells that fit. @param wanted how many, a thousand at most */
export function useRunsOfCells(cells: readonly Cell[], filter: RunFilter, wanted: number) {
  const key = JSON.stringify([filter, wanted, cells.map(({ name }) => name)]);
  const { reach } = useMemo(() => ({ key, reach: new Reach(wanted, cells.length) }), [key, wanted, cells.length]);
  const answers = useQueries({
    queries: cells.map((cell) => ({
      queryKey: keyOfCell(cell.name, "/v1/runs", filter, wanted),
      queryFn: ({ signal }: { signal: AbortSignal }) => newestRuns(clientOf(cell), cell.name, filter, reach, signal),
      placeholderData: keepPreviousData<NewestRuns>,
      refetchInterval: REFETCH_MS,
      retry: false,
    })),
    combine: asOfCells<NewestRuns>(cells),
  });
  const looked = answers.flatMap(({ cell, answer, error }) =>
    answer && !error ? [{ to: answer.to, runs: answer.runs.map((run): RunOfCell => ({ ...run, cell })) }] : [],
  );
  return { answers, ...mergeNewest(looked, wanted) };
}

/** The plan of an action in each cell; `request` null: none is made. */
export const usePlansOfCells = (cells: readonly Cell[], request: PlanRequest | null): OfCell<Plan>[] =>
  useQueries({
    queries: cells.map((cell) => ({
      queryKey: keyOfCell(cell.name, "/v1/plans", request),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        clientOf(cell).post("/v1/plans", {}, { request: request as PlanRequest, signal }),
      enabled: request !== null,
      staleTime: "static" as const,
      gcTime: 0,
      retry: false,
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
      queryKey: keyOfCell(cell.name, "/v1/operations/{operationId}", operation.id),
      queryFn: ({ signal }: { signal: AbortSignal }): Promise<Operation> =>
        clientOf(cell).read("/v1/operations/{operationId}", { operationId: operation.id }, { signal }),
      initialData: operation,
      refetchInterval: ({ state }: { state: { data: Operation | undefined } }) =>
        state.data?.finishedAt == null ? 2_000 : false,
      retry: false,
    })),
    combine: asOfCells<Operation>(begun.map(({ cell }) => cell)),
  });

/** Why a cell does not answer, in words. */
export const troubleOf = (error: Error): string =>
  error instanceof ApiError ? error.message : "Something unexpected happened.";
