import { z } from "zod";
import { unknownSchedule } from "../../operator/schedules/backfill-times";
import {
  givenSchedule,
  putSchedule as makeSchedule,
  removeASchedule,
} from "../../operator/schedules/run-time-schedules";
import { previewBackfill as readBackfill, readSchedule, readSchedules } from "../../operator/schedules/schedule-reads";
import * as operating from "../../operator/schedules/schedules";
import { ownActs } from "../access/narrow";
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
  schedulePutRequest,
  schedulePutResponse,
  scheduleRemovalResponse,
  scheduleSchema,
} from "../contract/schedules";
import { endpoint } from "../endpoint";

const ofSchedule = z.strictObject({ name: plainText.min(1).max(100) });

export const listSchedules = endpoint(
  {
    method: "GET",
    path: "/v1/schedules",
    action: "schedule.read",
    standby: false,
    summary: "Schedules by name, each with its next times and its last firing",
    query: scheduleListQuery,
    answer: scheduleListResponse,
    statuses: { 200: "A page of schedules" },
  },
  async ({ query, server, permissions }) => ({
    status: 200,
    body: await readSchedules(server.db, query, permissions.workflows),
  }),
);

export const getSchedule = endpoint(
  {
    method: "GET",
    path: "/v1/schedules/{name}",
    action: "schedule.read",
    standby: false,
    summary: "One schedule with its next times, its last firings and the last actions on it",
    params: ofSchedule,
    answer: scheduleSchema,
    statuses: { 200: "The schedule" },
  },
  async ({ params, server, permissions }) => {
    const schedule = await readSchedule(server.db, params.name);
    return { status: 200, body: { ...schedule, acts: ownActs(permissions, "schedule", schedule) } };
  },
);

export const putSchedule = endpoint(
  {
    method: "PUT",
    path: "/v1/schedules/{name}",
    action: "schedule.put",
    summary: "Make a schedule, or change one that was made at run time; the same again changes nothing",
    params: ofSchedule,
    body: schedulePutRequest,
    answer: schedulePutResponse,
    statuses: { 200: "The schedule as it is now", 201: "The schedule that was made" },
  },
  async ({ desk, params, body: { reason, ...given }, server }) => {
    const made = await makeSchedule(desk, server.code, givenSchedule({ ...params, ...given }), reason);
    return { status: made.created ? 201 : 200, body: made };
  },
);

const act = {
  method: "POST",
  params: ofSchedule,
  body: scheduleActRequest,
  answer: scheduleActResponse,
} as const;

export const pauseSchedule = endpoint(
  {
    ...act,
    path: "/v1/schedules/{name}/pause",
    action: "schedule.pause",
    summary: "Fire nothing more until it is resumed; runs that it has started go on",
    statuses: { 200: "The schedule" },
  },
  async ({ desk, params, body }) => ({
    status: 200,
    body: await operating.pauseASchedule(desk, { ...params, ...body }),
  }),
);

export const resumeSchedule = endpoint(
  {
    ...act,
    path: "/v1/schedules/{name}/resumption",
    action: "schedule.resume",
    summary: "Go on with the next time from now on",
    statuses: { 200: "The schedule" },
  },
  async ({ desk, params, body }) => ({
    status: 200,
    body: await operating.resumeASchedule(desk, { ...params, ...body }),
  }),
);

export const runScheduleNow = endpoint(
  {
    ...act,
    path: "/v1/schedules/{name}/firings",
    action: "schedule.fire",
    summary: "Start a run now, whatever the overlap policy",
    statuses: { 202: "The schedule, and the run that was started" },
  },
  async ({ desk, params, body, server }) => ({
    status: 202,
    body: await operating.fireNow(desk, server.code, { ...params, ...body }),
  }),
);

export const previewBackfill = endpoint(
  {
    method: "GET",
    path: "/v1/schedules/{name}/backfills",
    action: "schedule.read",
    summary: "The nominal times of a range, and which of them have their run; 500 at most",
    params: ofSchedule,
    query: backfillQuery,
    answer: backfillPreview,
    refusals: [422],
    statuses: { 200: "What a backfill would do" },
  },
  async ({ params, query, server }) => ({
    status: 200,
    body: await readBackfill(server.db, params.name, query),
  }),
);

export const backfillSchedule = endpoint(
  {
    ...act,
    path: "/v1/schedules/{name}/backfills",
    action: "schedule.backfill",
    summary: "Start a run for every nominal time of a range that has none",
    body: backfillRequest,
    statuses: { 202: "The schedule, and the runs that were started" },
  },
  async ({ desk, params, body, server }) => ({
    status: 202,
    body: await operating.backfill(desk, server.code, { ...params, ...body }),
  }),
);

export const editSchedule = endpoint(
  {
    ...act,
    method: "PUT",
    path: "/v1/schedules/{name}/override",
    action: "schedule.edit",
    summary: "Override the code's definition; replaces every earlier edit",
    body: scheduleEditRequest,
    statuses: { 200: "The schedule" },
  },
  async ({ desk, params, body, server }) => ({
    status: 200,
    body: await operating.editASchedule(desk, server.code, { ...params, ...body }),
  }),
);

export const resetSchedule = endpoint(
  {
    ...act,
    path: "/v1/schedules/{name}/reset",
    action: "schedule.reset",
    summary: "Revert every edit: the schedule is as the code defines it",
    statuses: { 200: "The schedule" },
  },
  async ({ desk, params, body }) => ({
    status: 200,
    body: await operating.resetASchedule(desk, { ...params, ...body }),
  }),
);

export const removeSchedule = endpoint(
  {
    ...act,
    path: "/v1/schedules/{name}/removal",
    action: "schedule.remove",
    summary: "Remove a schedule that was made at run time; runs that it has started go on",
    answer: scheduleRemovalResponse,
    statuses: { 200: "It is removed" },
  },
  async ({ desk, params, body }) => {
    if (!(await removeASchedule(desk, { ...params, ...body }))) throw unknownSchedule(params.name);
    return { status: 200, body: { removed: true as const } };
  },
);
