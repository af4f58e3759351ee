import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { FlowWindow } from "../../engine/rollup";
import { type Reads, reads } from "../client";
import { queryKeys } from "./query-keys";

/** How often charts are asked for anew unless somebody chose: runs are counted every three seconds. */
const FLOW_REFETCH_MS = 15_000;

/** `refetchMs`: false asks once. */
export const flowQuery = (
  window: FlowWindow,
  workflow: string[],
  refetchMs: number | false = FLOW_REFETCH_MS,
  from: Reads = reads,
) =>
  queryOptions({
    queryKey: queryKeys.flow(window, workflow),
    queryFn: ({ signal }) => from.flow({ window, ...(workflow.length > 0 && { workflow }) }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: refetchMs,
  });

export const workflowFlowQuery = (
  workflow: string,
  window: FlowWindow,
  refetchMs: number | false = FLOW_REFETCH_MS,
  from: Reads = reads,
) =>
  queryOptions({
    queryKey: queryKeys.workflowFlow(workflow, window),
    queryFn: ({ signal }) => from.workflowFlow(workflow, window, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: refetchMs,
  });

export const databaseQuery = (refetchMs: number | false = FLOW_REFETCH_MS, from: Reads = reads) =>
  queryOptions({
    queryKey: queryKeys.database(),
    queryFn: ({ signal }) => from.databaseHealth({ signal }),
    refetchInterval: refetchMs,
  });
