import { HandrailError } from "../../engine/errors";
import { singletonConflict } from "../../engine/queues/singleton";
import {
  checkSpec,
  effectiveSpec,
  type MissedPolicy,
  type Overlap,
  type ScheduleSpec,
} from "../../engine/schedules/schedule";
import { mayDo, type ScheduleAct } from "../../engine/schedules/schedule-acts";
import { scheduledStart } from "../../engine/schedules/start-scheduled";
import type { Timing } from "../../engine/schedules/timing";
import type { WorkflowCode } from "../../engine/workflows/workflow-code";
import type { Db } from "../../store/db";
import { holdersOf } from "../../store/runs/singleton";
import { lockSchedule, overrideSchedule, pauseSchedule, resumeSchedule } from "../../store/schedules/change-schedule";
import { writeFirings } from "../../store/schedules/fire";
import type { LockedSchedule } from "../../store/schedules/schedule-rows";
import { tracedFirings } from "../../traces/tracing";
import { type Attempt, audited } from "../audit/audited";
import type { Desk } from "../desk";
import { encodeGiven } from "../given-value";
import { checkedTimes, unknownSchedule } from "./backfill-times";
import { readSchedule } from "./schedule-reads";

/** An action on a schedule as an operator requests it. */
interface ScheduleCommand {
  name: string;
  reason: string;
  /** The revision the operator saw; the action is refused if the schedule has changed since. */
  revision?: number | undefined;
}

/** Runs of a backfill have a lower priority than new ones. */
const BACKFILL_PRIORITY = -10;

type Details = Record<string, unknown>;

/**
 * One action is one transaction: take the idempotency key, lock the schedule, check the rule, change, audit, keep the
 * answer. `change` returns what the audit log keeps beside the schedule's state, and the runs it started.
 */
async function carryOut(
  desk: Desk,
  act: ScheduleAct,
  { name, reason, revision }: ScheduleCommand,
  change: (tx: Db, schedule: LockedSchedule) => Promise<{ details?: Details; started?: string[] } | undefined>,
) {
  const attempt: Attempt = { act: `schedule_${act}`, runId: null, schedule: name, reason };
  const { body } = await audited(desk, attempt, async (tx, record) => {
    const before = await lockSchedule(tx, name);
    if (!before) throw unknownSchedule(name);
    Object.assign(attempt, { workflow: before.workflow, before: snapshot(before) });
    check(act, before, revision);
    const { details, started = [] } = (await change(tx, before)) ?? {};
    const after = (await lockSchedule(tx, name)) as LockedSchedule;
    await record({ ...snapshot(after), ...details });
    return { status: 200, body: { schedule: await readSchedule(tx, name), runIds: started } };
  });
  desk.notifier.changeAtOnce(body.runIds);
  desk.notifier.work();
  return body;
}

/** @throws HandrailError `changed` */
export function checkRevision(schedule: LockedSchedule, revision: number | undefined): void {
  if (revision !== undefined && revision !== schedule.revision)
    throw new HandrailError("changed", "The schedule has changed since you looked at it. Look again, then decide.", {
      revision: schedule.revision,
    });
}

function check(act: ScheduleAct, schedule: LockedSchedule, revision: number | undefined): void {
  checkRevision(schedule, revision);
  const facts = {
    paused: schedule.paused_at !== null,
    overridden: schedule.override !== null,
    atRunTime: schedule.at_run_time,
  };
  const openness = mayDo(act, facts);
  if (!openness.open) throw new HandrailError("not_allowed", openness.because);
}

const snapshot = ({ paused_at, override, revision }: LockedSchedule) => ({
  paused: paused_at !== null,
  override: override && recorded(override),
  revision,
});

/** As the audit log has it: its input as JSON and not as text, so that masked fields are found in it. */
export const recorded = ({ input, ...spec }: Partial<ScheduleSpec>) => ({
  ...spec,
  ...(input !== undefined && { input: JSON.parse(input) as unknown }),
});

/** Starts no more runs until it is resumed. Runs already started go on. */
export const pauseASchedule = (desk: Desk, command: ScheduleCommand) =>
  carryOut(desk, "pause", command, async (tx, schedule) => void (await pauseSchedule(tx, schedule)));

/** Continues with the next time from now on. */
export const resumeASchedule = (desk: Desk, command: ScheduleCommand) =>
  carryOut(desk, "resume", command, async (tx, schedule) => void (await resumeSchedule(tx, schedule)));

/** Removes all overrides: the schedule is as the code defines it. */
export const resetASchedule = (desk: Desk, command: ScheduleCommand) =>
  carryOut(desk, "reset", command, async (tx, schedule) => void (await overrideSchedule(tx, schedule, null)));

/**
 * Starts a run now, whatever its overlap policy; the nominal time is this moment. @throws HandrailError
 * `unknown_workflow`, `invalid_input`
 */
export const fireNow = (desk: Desk, code: WorkflowCode, command: ScheduleCommand) =>
  carryOut(desk, "fire", command, async (tx, schedule) => {
    const started = await fireTimes(desk, tx, code, schedule, { times: [schedule.now], cause: "person" });
    if (started.length === 0)
      throw new HandrailError("changed", "The schedule was fired at this very moment. Look again, then decide.");
    return { details: { runs: started.length }, started };
  });

/**
 * Starts a run for every nominal time of a range that has none. @throws HandrailError `invalid_input`,
 * `unknown_workflow`
 */
export const backfill = (
  desk: Desk,
  code: WorkflowCode,
  { from, to, ...command }: ScheduleCommand & { from: string; to: string },
) =>
  carryOut(desk, "backfill", command, async (tx, schedule) => {
    const { timing } = effectiveSpec(schedule.definition, schedule.override);
    const facts = { now: schedule.now, forgottenUntil: schedule.forgotten_until };
    const times = checkedTimes(timing, { from, to }, facts);
    const started = await fireTimes(desk, tx, code, schedule, { times, cause: "backfill" });
    return { details: { from, to, times: times.length, runs: started.length }, started };
  });

interface Fired {
  times: readonly Date[];
  cause: "person" | "backfill";
}

async function fireTimes(
  desk: Desk,
  tx: Db,
  code: WorkflowCode,
  schedule: LockedSchedule,
  { times, cause }: Fired,
): Promise<string[]> {
  const spec = effectiveSpec(schedule.definition, schedule.override);
  const start = scheduledStart(schedule.name, spec, cause === "backfill" ? BACKFILL_PRIORITY : 0);
  const run = await code.prepareStart(schedule.workflow, start);
  if (cause === "person" && run.singleton) {
    const { workflow, singleton } = run;
    const [holder] = (await holdersOf(tx, [{ workflow, key: singleton.key }])).values();
    if (holder !== undefined) throw singletonConflict(workflow, holder);
  }
  const firing = { schedule: schedule.name, cause, status: "started", run } as const;
  const firings = times.map((nominalAt) => ({ ...firing, nominalAt }));
  return tracedFirings(firings, { received: desk.trace ?? null }, (traced) => writeFirings(tx, traced));
}

/** An operator's overrides; absent fields are as the code defines them. */
interface ScheduleEdit extends ScheduleCommand {
  cron?: string | undefined;
  timeZone?: string | undefined;
  everyMs?: number | undefined;
  /** Parsed JSON. */
  input?: unknown;
  overlap?: Overlap | undefined;
  missed?: MissedPolicy | undefined;
  missedWindowMs?: number | undefined;
}

/** Replaces earlier overrides. @throws HandrailError `invalid_schedule`, `invalid_input`, `unknown_workflow` */
export const editASchedule = (desk: Desk, code: WorkflowCode, edit: ScheduleEdit) =>
  carryOut(desk, "edit", edit, async (tx, schedule) => {
    const override = overrideOf(edit, schedule.definition);
    const spec = effectiveSpec(schedule.definition, override);
    checkSpec(spec);
    // The code's own input was checked when its worker began.
    if (override.input !== undefined) await code.prepareStart(schedule.workflow, scheduledStart(schedule.name, spec));
    await overrideSchedule(tx, schedule, Object.keys(override).length > 0 ? override : null);
    return undefined;
  });

function overrideOf(edit: ScheduleEdit, definition: ScheduleSpec): Partial<ScheduleSpec> {
  const { overlap, missed, missedWindowMs } = edit;
  const timing = timingOf(edit, definition.timing);
  return {
    ...(timing && { timing }),
    ...(edit.input !== undefined && { input: encodeGiven(edit.input, "input of the schedule") }),
    ...(overlap && { overlap }),
    ...(missed && { missed }),
    ...(missedWindowMs !== undefined && { missedWindowMs }),
  };
}

function timingOf({ cron, timeZone, everyMs }: ScheduleEdit, defined: Timing): Timing | undefined {
  if (everyMs !== undefined) {
    if (cron !== undefined || timeZone !== undefined)
      throw new HandrailError("invalid_schedule", "A schedule has either cron with a time zone, or everyMs.");
    return { everyMs };
  }
  const before = "cron" in defined ? defined : { cron: undefined, timeZone: "UTC" };
  if (cron === undefined && timeZone === undefined) return undefined;
  if (cron === undefined && before.cron === undefined)
    throw new HandrailError("invalid_schedule", "A time zone needs a cron expression.");
  return { cron: cron ?? (before.cron as string), timeZone: timeZone ?? before.timeZone };
}
