import { DELIVERY_WORKFLOW } from "../notices/notice";
import { OPERATION_WORKFLOW } from "../operations/operation";

/** No app's workflow begins with this: what Handrail does with runs of its own must not be anybody else's code. */
const RESERVED_PREFIX = "handrail.";

export const isReserved = (workflow: string): boolean => workflow.startsWith(RESERVED_PREFIX);

/** Of Handrail itself: they stand beside the app's, and are not mixed with them. */
export const OWN_WORKFLOWS: readonly string[] = [OPERATION_WORKFLOW, DELIVERY_WORKFLOW];
