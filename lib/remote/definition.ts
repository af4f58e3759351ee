import type { StandardSchemaV1 } from "@standard-schema/spec";
import { z } from "zod";
import { HandrailError } from "../engine/errors";
import type { RemoteDefinition } from "../engine/workflows/remote-definition";
import { remoteWorkflow } from "../engine/workflows/remote-workflow";
import type { Workflow } from "../engine/workflows/workflow";
import { withinTime } from "./within-time";

/** @throws HandrailError `invalid_workflow` that says what to write instead */
export function workflowOf(definition: RemoteDefinition): Workflow {
  return remoteWorkflow(definition, inputCheck(definition));
}

/** For claims: without its input schema. */
export const toBeClaimed = (definition: RemoteDefinition): Workflow => remoteWorkflow(definition, z.unknown());

/** The same with its input schema. */
export const withInputCheck = ({ remote, ...workflow }: Workflow): Workflow => (remote ? workflowOf(remote) : workflow);

function inputCheck({ name, inputSchema }: RemoteDefinition): StandardSchemaV1 {
  if (!inputSchema) return z.unknown();
  // Whatever it says: patterns, references and alternatives each can cost far more than the length of their input.
  const schema = withinTime(`Reading the inputSchema of workflow "${name}"`, () => understood(name, inputSchema));
  const { vendor, version } = schema["~standard"];
  const validate = (value: unknown) =>
    withinTime(`Checking the input of workflow "${name}"`, () => schema["~standard"].validate(value));
  return { "~standard": { vendor, version, validate } };
}

function understood(name: string, inputSchema: Record<string, unknown>): StandardSchemaV1 {
  try {
    return z.fromJSONSchema(inputSchema as z.core.JSONSchema.JSONSchema);
  } catch (error) {
    throw new HandrailError(
      "invalid_workflow",
      `The inputSchema of workflow "${name}" is not a JSON Schema that Handrail supports: ${(error as Error).message}`,
    );
  }
}
