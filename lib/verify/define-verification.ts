import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { TypedWorkflow, Workflow } from "../engine/workflows/workflow";
import type { VerifyOptions } from "./options";

/** What `handrail verify` reads of a file such as `workflows/order.verify.ts`: its default export. */
export interface Verification {
  readonly workflow: Workflow;
  readonly options: VerifyOptions;
}

/** For `handrail verify`: the workflow, its inputs and its world. */
export const defineVerification = <Schema extends StandardSchemaV1, Output>(
  workflow: TypedWorkflow<Schema, Output>,
  options: VerifyOptions<StandardSchemaV1.InferInput<Schema>>,
): Verification => ({ workflow, options: options as VerifyOptions });
