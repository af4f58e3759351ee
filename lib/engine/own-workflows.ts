import { DELIVERY_WORKFLOW } from "./notice";
import { OPERATION_WORKFLOW } from "./operation";

/** Of Handrail itself: they stand beside the app's, and are not mixed with them. */
export const OWN_WORKFLOWS: readonly string[] = [OPERATION_WORKFLOW, DELIVERY_WORKFLOW];
