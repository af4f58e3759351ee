import { decodeValue } from "./codec";
import { SCHEDULE_TAG, type ScheduleSpec } from "./schedule";
import { prepareStart, type RunToStart } from "./start";
import type { Workflow } from "./workflow";

/** @throws HandrailError when the schedule's input does not fit its workflow */
export const prepareScheduledRun = (
  workflow: Workflow,
  schedule: string,
  { input }: Pick<ScheduleSpec, "input">,
  priority = 0,
): Promise<RunToStart> => prepareStart(workflow, decodeValue(input), { tags: { [SCHEDULE_TAG]: schedule }, priority });
