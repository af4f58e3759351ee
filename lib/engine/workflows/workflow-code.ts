import type { EventDefinition } from "../events/event";
import { checkPayload } from "../events/prepare-event";
import type { Pause } from "../parts";
import { prepareParsed, prepareStart, prepareStarts, type RunToStart, type StartOptions } from "../runs/start";
import type { CodecOptions } from "../values/codec";
import type { Workflow } from "./workflow";
import { workflowNamed } from "./workflow-versions";

/** A start as it is asked for: its input as a value, not encoded, and its options. */
export interface GivenStart {
  input: unknown;
  options?: StartOptions;
  /** The version of the workflow whose schema has parsed the input: the same version does not parse it again. */
  parsedBy?: number;
}

/** What needs a workflow's code outside of its runs. The code is in this process, or with workers alone. */
export interface WorkflowCode {
  /**
   * A start by the newest version of the workflow, or by the one that its options choose, ready to be written.
   * @param bounds how large its input may be, where the code is in this process
   * @throws HandrailError `unknown_workflow`, `unknown_version`; as `prepareStart`; `unavailable` when only workers have the code and none answers; `too_busy` when too many starts wait for them
   */
  prepareStart(workflow: string, start: GivenStart, pause?: Pause, bounds?: CodecOptions): Promise<RunToStart>;
  /** Many starts of one workflow. @throws HandrailError as for one; `details.index` names the start */
  prepareStarts(workflow: string, starts: readonly GivenStart[], pause?: Pause): Promise<RunToStart[]>;
  /**
   * Checks an event's payload by every definition of it; with a workflow, by the definitions of that one alone.
   * @throws HandrailError `invalid_input`
   */
  checkPayload(event: string, payload: unknown, workflow?: string): Promise<void>;
}

/** The code of these workflows, which is in this process. */
export const codeHere = (workflows: readonly Workflow[]): WorkflowCode => ({
  prepareStart: async (name, { input, options, parsedBy }, pause, bounds) => {
    const workflow = workflowNamed(workflows, name, options?.version);
    const prepare = parsedBy === workflow.version ? prepareParsed : prepareStart;
    return prepare(workflow, input, options, pause, bounds);
  },
  prepareStarts: async (name, starts, pause) => prepareStarts(workflowNamed(workflows, name), starts, pause),
  async checkPayload(event, payload, workflow) {
    const asked = workflow === undefined ? workflows : workflows.filter(({ name }) => name === workflow);
    const known = new Set<EventDefinition>(asked.flatMap(({ events }) => events).filter(({ name }) => name === event));
    for (const definition of known) await checkPayload(definition, payload);
  },
});
