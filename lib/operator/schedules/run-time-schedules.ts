import { isDeepStrictEqual } from "node:util";
import { HandrailError, isHandrailError } from "../../engine/errors";
import {
  checkedSchedule,
  checkSpec,
  effectiveSpec,
  type GivenSchedule,
  type Schedule,
  type ScheduleSpec,
} from "../../engine/schedules/schedule";
import { scheduledStart } from "../../engine/schedules/start-scheduled";
import type { WorkflowCode } from "../../engine/workflows/workflow-code";
import { databaseNow } from "../../store/database/database-now";
import type { Db } from "../../store/db";
import { lockSchedule } from "../../store/schedules/change-schedule";
import { insertSchedule, isInCode, redefineSchedule, removeSchedule } from "../../store/schedules/run-time-schedules";
import type { LockedSchedule } from "../../store/schedules/schedule-rows";
import { type Attempt, audited } from "../audit/audited";
import type { Desk } from "../desk";
import { encodeGiven } from "../given-value";
import { readSchedule } from "./schedule-reads";
import { checkRevision, recorded } from "./schedules";

const snapshot = ({ workflow, title, definition, revision }: LockedSchedule) => ({
  ...{ workflow, title, definition: recorded(definition), revision },
});

/**
 * One that was in code and that no worker has any more, such as after a rollback, may be changed: nobody else could.
 * @throws HandrailError `not_allowed` for a schedule of the code
 */
async function checkNotInCode(tx: Db, { name, at_run_time }: LockedSchedule): Promise<void> {
  if (!at_run_time && (await isInCode(tx, name)))
    throw new HandrailError(
      "not_allowed",
      `The schedule "${name}" is defined in code, with defineSchedule: change or remove it there, or take another name. Once no worker has had it for ten minutes, it can be changed here.`,
    );
}

/** People's edits stay. @throws HandrailError `invalid_schedule` if the new definition does not fit them */
function checkWithEdits(spec: ScheduleSpec, { name, override }: LockedSchedule): void {
  if (!override) return;
  try {
    checkSpec(effectiveSpec(spec, override));
  } catch (error) {
    if (!isHandrailError(error)) throw error;
    const edited = Object.keys(override).join(", ");
    throw new HandrailError(
      "invalid_schedule",
      `This does not fit what was edited of the schedule "${name}" (${edited}), which would stay. Reset its edits first, or edit it again. ${error.message}`,
    );
  }
}

/** A schedule as a program sent it. @throws HandrailError `invalid_schedule`, `invalid_input` */
export const givenSchedule = ({ input = {}, ...given }: Omit<GivenSchedule, "input"> & { input?: unknown }): Schedule =>
  checkedSchedule({ ...given, input: encodeGiven(input, "input of the schedule") });

/**
 * Makes a schedule, or changes the one of this name that was made at run time. The same again changes nothing.
 * @throws HandrailError `invalid_input` if its input does not fit; `invalid_schedule` if it does not fit people's edits;
 * `unknown_workflow`; `not_allowed` for one of the code.
 * Nothing is written then
 */
export async function putSchedule(desk: Desk, code: WorkflowCode, schedule: Schedule, reason: string) {
  const { name, workflow, title, spec } = schedule;
  // Before the transaction: only workers may have the code, and it takes them a while to answer.
  await code.prepareStart(workflow, scheduledStart(name, spec));
  const attempt: Attempt = { act: "schedule_put", runId: null, schedule: name, workflow, reason };
  const { body } = await audited(desk, attempt, async (tx, record) => {
    const created = await insertSchedule(tx, schedule, await databaseNow(tx));
    const held = (await lockSchedule(tx, name)) as LockedSchedule | undefined;
    if (!held) throw new HandrailError("changed", `The schedule "${name}" was removed at this very moment. Try again.`);
    if (!created) Object.assign(attempt, { workflow: held.workflow, before: snapshot(held) });
    await checkNotInCode(tx, held);
    // Who may change it is judged by its workflow.
    if (held.workflow !== workflow)
      throw new HandrailError(
        "not_allowed",
        `The schedule "${name}" starts another workflow. Remove it first, or take another name.`,
      );
    const isSame = held.at_run_time && isDeepStrictEqual([held.title, held.definition], [title, spec]);
    const changed = created || !isSame;
    if (changed) checkWithEdits(spec, held);
    if (!created && changed) await redefineSchedule(tx, schedule, held);
    const after = (await lockSchedule(tx, name)) as LockedSchedule;
    if (changed) await record({ ...snapshot(after), created });
    return { status: created ? 201 : 200, body: { created, changed, schedule: await readSchedule(tx, name) } };
  });
  desk.notifier.work();
  return body;
}

/**
 * Removes a schedule that was made at run time; its runs go on. False if there is none, such as after the same again.
 * @throws HandrailError `not_allowed` for one of the code
 */
export async function removeASchedule(
  desk: Desk,
  { name, reason, revision }: { name: string; reason: string; revision?: number | undefined },
): Promise<boolean> {
  const attempt: Attempt = { act: "schedule_remove", runId: null, schedule: name, reason };
  const { body } = await audited(desk, attempt, async (tx, record) => {
    const held = await lockSchedule(tx, name);
    if (!held) return { status: 200, body: false };
    Object.assign(attempt, { workflow: held.workflow, before: snapshot(held) });
    await checkNotInCode(tx, held);
    checkRevision(held, revision);
    await removeSchedule(tx, name);
    await record({ removed: true });
    return { status: 200, body: true };
  });
  return body;
}
