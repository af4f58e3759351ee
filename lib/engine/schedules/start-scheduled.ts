import { prepareStart, type RunToStart } from "../runs/start";
import { decodeValue } from "../values/codec";
import type { Workflow } from "../workflows/workflow";
import { SCHEDULE_TAG, type ScheduleSpec } from "./schedule";

/** @throws HandrailError if the schedule's input does not fit its workflow */
export const prepareScheduledRun = (
  workflow: Workflow,
  schedule: string,
  { input }: Pick<ScheduleSpec, "input">,
  priority = 0,
): Promise<RunToStart> => prepareStart(workflow, decodeValue(input), { tags: { [SCHEDULE_TAG]: schedule }, priority });
