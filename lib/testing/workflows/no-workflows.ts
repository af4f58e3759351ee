import type { Workflow } from "../../engine/workflows/workflow";

/** Of a console without the code of any workflow. */
export const workflows: Workflow[] = [];
