import {
  checkSchedules as assertRegistrable,
  checkSpec,
  effectiveSpec,
  type Schedule,
} from "../../../lib/engine/schedules/schedule";
import { prepareScheduledRun } from "../../../lib/engine/schedules/start-scheduled";
import type { Workflow } from "../../../lib/engine/workflows/workflow";
import { newestOf } from "../../../lib/engine/workflows/workflow-versions";
import { type Finding, finding } from "./finding";
import type { KnownSchedule } from "./known";

/** Whether the schedules of the code, with what operators have set, can start their workflows. */
export async function checkSchedules(
  schedules: readonly Schedule[],
  workflows: readonly Workflow[],
  known: readonly KnownSchedule[],
): Promise<Finding[]> {
  const ofCode = schedules.map((schedule, index) => {
    const isRepeated = schedules.findIndex(({ name }) => name === schedule.name) < index;
    const override = known.find(({ name }) => name === schedule.name)?.override ?? null;
    return ofSchedule(schedule, isRepeated, workflows, override);
  });
  return [...(await Promise.all(ofCode)).flat(), ...gone(schedules, workflows, known)];
}

async function ofSchedule(
  schedule: Schedule,
  isRepeated: boolean,
  workflows: readonly Workflow[],
  override: KnownSchedule["override"],
): Promise<Finding[]> {
  const about = { workflow: schedule.workflow, schedule: schedule.name };
  const invalid = (says: string) => [finding("breaks", "invalid_schedule", about, says)];
  const unregistrable = refusalOf(() => assertRegistrable([schedule, ...(isRepeated ? [schedule] : [])], workflows));
  if (unregistrable !== null) return invalid(unregistrable);
  const spec = effectiveSpec(schedule.spec, override);
  const name = `Schedule "${schedule.name}"${override === null ? "" : ", as an operator has changed it,"}`;
  const contradiction = refusalOf(() => checkSpec(spec));
  if (contradiction !== null) return invalid(`${name} contradicts itself: ${contradiction}`);
  const workflow = newestOf(workflows).find((one) => one.name === schedule.workflow) as Workflow;
  const refused = await prepareScheduledRun(workflow, schedule.name, spec).then(() => null, messageOf);
  if (refused === null) return [];
  const says = `${name} starts no run any more: ${refused}`;
  return [finding("breaks", "schedule_input", { ...about, version: workflow.version }, says)];
}

/** Of workflows that the code has: a worker of another app may have the schedules of all others. */
function gone(schedules: readonly Schedule[], workflows: readonly Workflow[], known: readonly KnownSchedule[]) {
  const here = new Set(schedules.map(({ name }) => name));
  return known
    .filter(({ name, workflow }) => !here.has(name) && workflows.some((one) => one.name === workflow))
    .map(({ name, workflow }) =>
      finding(
        "note",
        "schedule_gone",
        { workflow, schedule: name },
        `Schedule "${name}" is not in this code: it starts no more runs once no worker has it.`,
      ),
    );
}

function refusalOf(check: () => void): string | null {
  try {
    check();
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

const messageOf = (error: unknown) => (error as Error).message;
