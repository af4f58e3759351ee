import { z } from "zod";
import { plainText } from "../contract/requests";
import {
  backfillPreview,
  backfillQuery,
  backfillRequest,
  scheduleActRequest,
  scheduleActResponse,
  scheduleEditRequest,
  scheduleListQuery,
  scheduleListResponse,
  scheduleSchema,
} from "../contract/schedules";
import { endpoint } from "../endpoint";

const ofSchedule = z.strictObject({ name: plainText.min(1).max(100) });

export const listSchedules = endpoint({
  method: "GET",
  path: "/v1/schedules",
  action: "schedule.read",
  summary: "Schedules by name, each with its next times and its last firing",
  query: scheduleListQuery,
  answer: scheduleListResponse,
  statuses: { 200: "A page of schedules" },
});

export const getSchedule = endpoint({
  method: "GET",
  path: "/v1/schedules/{name}",
  action: "schedule.read",
  summary: "One schedule with its next times, its last firings and the last acts on it",
  params: ofSchedule,
  answer: scheduleSchema,
  statuses: { 200: "The schedule" },
});

const act = {
  method: "POST",
  params: ofSchedule,
  body: scheduleActRequest,
  answer: scheduleActResponse,
} as const;

export const pauseSchedule = endpoint({
  ...act,
  path: "/v1/schedules/{name}/pause",
  action: "schedule.pause",
  summary: "Fire nothing more until it is resumed; runs that it has started go on",
  statuses: { 200: "The schedule" },
});

export const resumeSchedule = endpoint({
  ...act,
  path: "/v1/schedules/{name}/resumption",
  action: "schedule.resume",
  summary: "Go on with the next time from now on",
  statuses: { 200: "The schedule" },
});

export const fireSchedule = endpoint({
  ...act,
  path: "/v1/schedules/{name}/firings",
  action: "schedule.fire",
  summary: "Start a run now, whatever the overlap policy",
  statuses: { 202: "The schedule, and the run that was started" },
});

export const previewBackfill = endpoint({
  method: "GET",
  path: "/v1/schedules/{name}/backfills",
  action: "schedule.read",
  summary: "The nominal times of a range, and which of them have their run; 500 at most",
  params: ofSchedule,
  query: backfillQuery,
  answer: backfillPreview,
  statuses: { 200: "What a backfill would do" },
});

export const backfillSchedule = endpoint({
  ...act,
  path: "/v1/schedules/{name}/backfills",
  action: "schedule.backfill",
  summary: "Start a run for every nominal time of a range that has none",
  body: backfillRequest,
  statuses: { 202: "The schedule, and the runs that were started" },
});

export const editSchedule = endpoint({
  ...act,
  method: "PUT",
  path: "/v1/schedules/{name}/override",
  action: "schedule.edit",
  summary: "Set the schedule otherwise than the code; replaces every earlier edit",
  body: scheduleEditRequest,
  statuses: { 200: "The schedule" },
});

export const resetSchedule = endpoint({
  ...act,
  path: "/v1/schedules/{name}/reset",
  action: "schedule.reset",
  summary: "Take every edit back: the schedule is as the code defines it",
  statuses: { 200: "The schedule" },
});
