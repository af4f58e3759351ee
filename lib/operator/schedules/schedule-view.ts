import { effectiveSpec, type ScheduleSpec } from "../../engine/schedules/schedule";
import { scheduleActStates } from "../../engine/schedules/schedule-acts";
import { nextAfter, type Timing } from "../../engine/schedules/timing";
import type { AuditRow } from "../../store/reads/audit";
import type { FiringRow, ListedScheduleRow } from "../../store/reads/schedules";
import { asInstant, asInstantOrNull, asJson } from "../values";

const NEXT_TIMES = 5;

export function scheduleView(row: ListedScheduleRow, firings: readonly FiringRow[]) {
  const spec = effectiveSpec(row.definition, row.override);
  const paused = row.paused_at !== null;
  return {
    name: row.name,
    title: row.title,
    workflow: row.workflow,
    workflowTitle: row.workflow_title,
    ...specView(spec),
    /** The code's value, where an operator has overridden it. */
    definition: specView(row.definition),
    overridden: Object.keys(row.override ?? {}),
    pausedAt: asInstantOrNull(row.paused_at),
    atRunTime: row.at_run_time,
    workers: row.workers,
    nextTimes: paused ? [] : nextTimes(spec.timing, row.nominal_at as Date),
    firings: firings.map(firingView),
    acts: scheduleActStates({ paused, overridden: row.override !== null, atRunTime: row.at_run_time }),
    revision: row.revision,
    createdAt: asInstant(row.created_at),
    forgottenUntil: asInstantOrNull(row.forgotten_until),
  };
}

const specView = ({ timing, input, overlap, missed, missedWindowMs }: ScheduleSpec) => ({
  timing,
  input: asJson(input),
  overlap,
  missed,
  missedWindowMs,
});

/** The first nominal time that no worker has handled: without a worker, it is in the past. */
function nextTimes(timing: Timing, first: Date): string[] {
  const times = [first];
  while (times.length < NEXT_TIMES) times.push(nextAfter(timing, times.at(-1) as Date));
  return times.map((time) => time.toISOString());
}

const firingView = (row: FiringRow) => ({
  nominalAt: asInstant(row.nominal_at),
  status: row.status,
  cause: row.cause,
  reason: row.reason,
  runId: row.run_id,
  runStatus: row.run_status,
  firedAt: asInstant(row.fired_at),
});

export const scheduleAuditView = ({ id, at, actor, act, reason, result }: AuditRow) => ({
  id: String(id),
  at,
  actor,
  act,
  reason,
  result,
});
