import { prepareStart, type RunToStart } from "../runs/start";
import { decodeValue } from "../values/codec";
import type { Workflow } from "../workflows/workflow";
import type { GivenStart } from "../workflows/workflow-code";
import { SCHEDULE_TAG, type ScheduleSpec } from "./schedule";

/** A run of a schedule, as its workflow's code is asked to prepare it. */
export const scheduledStart = (schedule: string, { input }: Pick<ScheduleSpec, "input">, priority = 0) =>
  ({ input: decodeValue(input), options: { tags: { [SCHEDULE_TAG]: schedule }, priority } }) satisfies GivenStart;

/** @throws HandrailError if the schedule's input does not fit its workflow */
export function prepareScheduledRun(
  workflow: Workflow,
  schedule: string,
  spec: Pick<ScheduleSpec, "input">,
  priority = 0,
): Promise<RunToStart> {
  const { input, options } = scheduledStart(schedule, spec, priority);
  return prepareStart(workflow, input, options);
}
