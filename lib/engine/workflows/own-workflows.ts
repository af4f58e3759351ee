import { DELIVERY_WORKFLOW } from "../notices/notice";
import { OPERATION_WORKFLOW } from "../operations/operation";

/** Reserved, so that an app's workflow cannot replace the code of Handrail's own runs. */
const RESERVED_PREFIX = "handrail.";

export const isReserved = (workflow: string): boolean => workflow.startsWith(RESERVED_PREFIX);

/** Handrail's own workflows, listed separately from the app's. */
export const OWN_WORKFLOWS: readonly string[] = [OPERATION_WORKFLOW, DELIVERY_WORKFLOW];
