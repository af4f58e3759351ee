"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { post, put } from "../client/browser";
import type { ApiError, Sent } from "../client/client";
import type {
  BackfillRequest,
  ScheduleActRequest,
  ScheduleActResponse,
  ScheduleEditRequest,
  SchedulePutRequest,
} from "../contract/schedules";
import { scheduleQuery } from "./queries";
import { ofPaths, overManyRuns, refresh } from "./query";

/** Actions whose only parameter is a reason. */
export type PlainScheduleAct = "pause" | "resume" | "fire" | "reset";

export const useScheduleAct = (name: string, act: PlainScheduleAct) =>
  useChange((sent: Sent<ScheduleActRequest>) => sendScheduleAct(name, act, sent));

const PATHS = {
  pause: "/v1/schedules/{name}/pause",
  resume: "/v1/schedules/{name}/resumption",
  fire: "/v1/schedules/{name}/firings",
  reset: "/v1/schedules/{name}/reset",
} as const;

export const sendScheduleAct = (name: string, act: PlainScheduleAct, sent: Sent<ScheduleActRequest>) =>
  post(PATHS[act], { name }, sent);

export const useBackfill = (name: string) =>
  useChange((sent: Sent<BackfillRequest>) => post("/v1/schedules/{name}/backfills", { name }, sent));

export const useEditSchedule = (name: string) =>
  useChange((sent: Sent<ScheduleEditRequest>) => put("/v1/schedules/{name}/override", { name }, sent));

export const usePutSchedule = () =>
  useChange(({ name, ...sent }: Sent<SchedulePutRequest> & { name: string }) =>
    put("/v1/schedules/{name}", { name }, sent),
  );

/** The page of a schedule that is gone is left before its queries are asked again. */
export function useRemoveSchedule(name: string) {
  const queryClient = useQueryClient();
  return useMutation<{ removed: boolean }, ApiError, Sent<ScheduleActRequest>>({
    mutationFn: (sent) => post("/v1/schedules/{name}/removal", { name }, sent),
    onSuccess: () => refresh(queryClient, ofPaths("/v1/schedules")),
  });
}

function useChange<Variables, Answer extends Pick<ScheduleActResponse, "schedule">>(
  act: (variables: Variables) => Promise<Answer>,
) {
  const queryClient = useQueryClient();
  return useMutation<Answer, ApiError, Variables>({
    mutationFn: act,
    onSuccess: ({ schedule }) => void queryClient.setQueryData(scheduleQuery(schedule.name).queryKey, schedule),
    onSettled: () => refresh(queryClient, ofSchedules, overManyRuns),
  });
}

const ofSchedules = ofPaths("/v1/schedules", "/v1/schedules/{name}", "/v1/schedules/{name}/backfills");
