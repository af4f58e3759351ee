import { z } from "zod";
import { RUN_STATUSES } from "../../engine/runs/run";
import { MISSED_POLICIES, OVERLAPS } from "../../engine/schedules/schedule";
import { SCHEDULE_ACTS } from "../../engine/schedules/schedule-acts";
import { auditRowSchema } from "./audit-row";
import { page, plainText, reason, revision } from "./requests";
import { instant, json } from "./run";

export const scheduleListQuery = z.strictObject(page);

export const scheduleActRequest = z.strictObject({ reason, revision }).meta({ id: "ScheduleActRequest" });

export const backfillQuery = z.strictObject({ from: instant, to: instant });

export const backfillRequest = z
  .strictObject({ from: instant, to: instant, reason, revision })
  .meta({ id: "BackfillRequest" });

/** Replaces every earlier edit: fields that are absent are as the code defines them. */
export const scheduleEditRequest = z
  .strictObject({
    cron: plainText.trim().min(1).max(200).optional(),
    timeZone: plainText.trim().min(1).max(100).optional(),
    everyMs: z.int().optional(),
    input: json.optional(),
    overlap: z.enum(OVERLAPS).optional(),
    missed: z.enum(MISSED_POLICIES).optional(),
    missedWindowMs: z.int().optional(),
    reason,
    revision,
  })
  .meta({ id: "ScheduleEditRequest" });

/** The whole schedule: what is absent is as by default. */
export const schedulePutRequest = z
  .strictObject({
    workflow: plainText.min(1).max(200),
    title: plainText.trim().min(1).max(200).optional(),
    cron: plainText.trim().min(1).max(200).optional(),
    timeZone: plainText.trim().min(1).max(100).optional(),
    everyMs: z.int().optional(),
    input: json.optional(),
    overlap: z.enum(OVERLAPS).optional(),
    missed: z.enum(MISSED_POLICIES).optional(),
    missedWindowMs: z.int().optional(),
    reason,
  })
  .meta({ id: "SchedulePutRequest" });

const timing = z.union([z.object({ cron: z.string(), timeZone: z.string() }), z.object({ everyMs: z.int() })]);

const spec = {
  timing,
  input: json,
  overlap: z.enum(OVERLAPS),
  missed: z.enum(MISSED_POLICIES),
  missedWindowMs: z.int(),
};

export const firingSchema = z
  .object({
    /** The nominal time of the firing. */
    nominalAt: instant,
    status: z.enum(["started", "queued", "skipped", "missed", "refused"]),
    cause: z.enum(["time", "person", "backfill"]),
    /** Why no run was started. */
    reason: z.string().nullable(),
    runId: z.uuid().nullable(),
    runStatus: z.enum(RUN_STATUSES).nullable(),
    firedAt: instant,
  })
  .meta({ id: "Firing" });

export const scheduleListItem = z
  .object({
    name: z.string(),
    title: z.string(),
    workflow: z.string(),
    workflowTitle: z.string(),
    ...spec,
    /** As the code defines it. */
    definition: z.object(spec),
    /** Fields that a person has overridden. */
    overridden: z.array(z.string()),
    /** Made at run time, and not defined by code. */
    atRunTime: z.boolean(),
    pausedAt: instant.nullable(),
    /** Live workers that fire it. */
    workers: z.int(),
    /** The next five; none while paused. */
    nextTimes: z.array(instant),
    /** The last firings, latest nominal time first: one in a list, 20 for one schedule. */
    firings: z.array(firingSchema),
    acts: z.array(z.object({ act: z.enum(SCHEDULE_ACTS), open: z.boolean(), because: z.string().nullable() })),
    revision: z.int(),
    createdAt: instant,
    /** Earlier runs may have been deleted: a backfill cannot go further back. */
    forgottenUntil: instant.nullable(),
  })
  .meta({ id: "ScheduleListItem" });

export const scheduleSchema = scheduleListItem
  .extend({
    audit: z.array(auditRowSchema.pick({ id: true, at: true, actor: true, act: true, reason: true, result: true })),
  })
  .meta({ id: "Schedule" });

export const scheduleListResponse = z
  .object({ schedules: z.array(scheduleListItem), nextCursor: z.string().nullable(), updatedAt: instant })
  .meta({ id: "ScheduleListResponse" });

export const scheduleActResponse = z
  .object({ schedule: scheduleSchema, /** Runs that the action started. */ runIds: z.array(z.uuid()) })
  .meta({ id: "ScheduleActResponse" });

export const schedulePutResponse = z
  .object({
    created: z.boolean(),
    /** False: it is as it was. */
    changed: z.boolean(),
    schedule: scheduleSchema,
  })
  .meta({ id: "SchedulePutResponse" });

export const scheduleRemovalResponse = z.object({ removed: z.literal(true) }).meta({ id: "ScheduleRemovalResponse" });

export const backfillPreview = z
  .object({
    times: z.array(
      z.object({ nominalAt: instant, /** Its run, which is not started again. */ runId: z.uuid().nullable() }),
    ),
    toStart: z.int(),
    revision: z.int(),
  })
  .meta({ id: "BackfillPreview" });

export type Schedule = z.infer<typeof scheduleSchema>;
export type ScheduleListItem = z.infer<typeof scheduleListItem>;
export type ScheduleListResponse = z.infer<typeof scheduleListResponse>;
export type ScheduleActRequest = z.infer<typeof scheduleActRequest>;
export type ScheduleActResponse = z.infer<typeof scheduleActResponse>;
export type ScheduleEditRequest = z.infer<typeof scheduleEditRequest>;
export type SchedulePutRequest = z.infer<typeof schedulePutRequest>;
export type BackfillRequest = z.infer<typeof backfillRequest>;
export type BackfillPreview = z.infer<typeof backfillPreview>;
export type Firing = z.infer<typeof firingSchema>;
