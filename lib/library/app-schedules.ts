import type { StandardSchemaV1 } from "@standard-schema/spec";
import { defineSchedule, type ScheduleOptions } from "../engine/schedules/schedule";
import type { WorkflowCode } from "../engine/workflows/workflow-code";
import type { Desk } from "../operator/desk";
import type { Page } from "../operator/runs/reads";
import { putSchedule, removeASchedule } from "../operator/schedules/run-time-schedules";
import { readSchedule, readSchedules } from "../operator/schedules/schedule-reads";

/** Why, for the audit log. */
export interface ScheduleReason {
  reason?: string;
}

/** The schedules of the database: those of the code are read, those made at run time changed as well. */
export const schedulesOf = (desk: () => Desk, code: WorkflowCode) => ({
  put: <Schema extends StandardSchemaV1>(options: ScheduleOptions<Schema>, { reason }: ScheduleReason = {}) =>
    putSchedule(desk(), code, defineSchedule(options), reason ?? "The app made it"),
  get: (name: string) => readSchedule(desk().db, name),
  list: (page: Page = {}) => readSchedules(desk().db, page, null),
  remove: (name: string, { reason }: ScheduleReason = {}) =>
    removeASchedule(desk(), { name, reason: reason ?? "The app removed it" }),
});

export type AppSchedules = ReturnType<typeof schedulesOf>;
