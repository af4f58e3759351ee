/** Reserved, so that an app's workflow cannot replace the code of Handrail's own runs. */
export const RESERVED_PREFIX = "handrail.";

export const isReserved = (workflow: string): boolean => workflow.startsWith(RESERVED_PREFIX);

/** Executes plans. Lists of the app's runs omit its runs unless they are requested. */
export const OPERATION_WORKFLOW = "handrail.operation";
/** Sends notifications. */
export const DELIVERY_WORKFLOW = "handrail.delivery";
/** Probes problems. */
export const PROBE_WORKFLOW = "handrail.probe";

/** Handrail's own workflows, listed separately from the app's. */
export const OWN_WORKFLOWS: readonly string[] = [OPERATION_WORKFLOW, DELIVERY_WORKFLOW, PROBE_WORKFLOW];
