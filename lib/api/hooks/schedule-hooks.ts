"use client";

import { type InfiniteData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ApiError, type Sent, scheduleActs } from "../client";
import type {
  BackfillRequest,
  ScheduleActRequest,
  ScheduleActResponse,
  ScheduleEditRequest,
  ScheduleListResponse,
} from "../contract/schedules";
import { backfillQuery, scheduleQuery, schedulesQuery } from "./queries";
import { changingKeys, queryKeys } from "./query-keys";

/** By name, page by page. */
export const useSchedules = () => useInfiniteQuery({ ...schedulesQuery(), select: allSchedules });

export const useSchedule = (name: string) => useQuery(scheduleQuery(name));

/** `range` null: nothing is asked. */
export const useBackfillPreview = (name: string, range: { from: string; to: string } | null) =>
  useQuery({ ...backfillQuery(name, range ?? { from: "", to: "" }), enabled: range !== null });

const allSchedules = ({ pages }: InfiniteData<ScheduleListResponse>) => pages.flatMap((page) => page.schedules);

/** Acts that take a reason alone. */
export type PlainScheduleAct = "pause" | "resume" | "fire" | "reset";

export const useScheduleAct = (name: string, act: PlainScheduleAct) =>
  useChange((sent: Sent<ScheduleActRequest>) => scheduleActs[act](name, sent));

export const useBackfill = (name: string) =>
  useChange((sent: Sent<BackfillRequest>) => scheduleActs.backfill(name, sent));

export const useEditSchedule = (name: string) =>
  useChange((sent: Sent<ScheduleEditRequest>) => scheduleActs.edit(name, sent));

function useChange<Variables>(act: (variables: Variables) => Promise<ScheduleActResponse>) {
  const queryClient = useQueryClient();
  return useMutation<ScheduleActResponse, ApiError, Variables>({
    mutationFn: act,
    onSuccess: ({ schedule }) => queryClient.setQueryData(queryKeys.schedule(schedule.name), schedule),
    onSettled: () =>
      Promise.all(
        [queryKeys.schedules(), ["backfill"], ...changingKeys].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      ),
  });
}
