import { isDeepStrictEqual } from "node:util";
import { inputJsonSchema } from "../../../lib/engine/workflows/input-schema";
import type { Workflow } from "../../../lib/engine/workflows/workflow";
import { newestOf } from "../../../lib/engine/workflows/workflow-versions";
import { type Finding, finding } from "./finding";

/** What can be said of the workflows without a database. */
export function checkCode(workflows: readonly Workflow[]): Finding[] {
  return [...duplicates(workflows), ...workflows.flatMap(ofSchema), ...ofLimits(workflows)];
}

/** A worker with two of a kind could register neither. */
function duplicates(workflows: readonly Workflow[]): Finding[] {
  const repeated = workflows.filter(
    ({ name, version }, index) => index > workflows.findIndex((one) => one.name === name && one.version === version),
  );
  return repeated.map(({ name, version }) =>
    finding(
      "breaks",
      "duplicate_workflow",
      { workflow: name, version },
      `Two workflows are version ${version} of "${name}". Rename one, or raise the version of the newer one.`,
    ),
  );
}

type JsonSchemaOf = { jsonSchema?: { input(options: { target: "draft-2020-12" }): unknown } };

/** Why a schema, or a part of it, has no JSON Schema; null if all of it has. */
function inexpressible({ input, remote }: Workflow): string | null {
  if (remote) return null;
  const { jsonSchema, vendor } = input["~standard"] as JsonSchemaOf & { vendor: string };
  if (!jsonSchema) return `${vendor} offers none`;
  try {
    jsonSchema.input({ target: "draft-2020-12" });
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

function ofSchema(workflow: Workflow): Finding[] {
  const why = inexpressible(workflow);
  if (why === null) return [];
  const { name, version } = workflow;
  const partly = inputJsonSchema(workflow) !== null;
  const says = partly
    ? `A part of the input of "${name}" has no JSON Schema (${why}): forms take any value there, and the code checks it at the start.`
    : `The input of "${name}" has no JSON Schema (${why}): the console asks for JSON instead of fields, and the code checks it at the start.`;
  return [finding("note", "no_json_schema", { workflow: name, version }, says)];
}

/** The limits of the newest version count for the runs of all. */
function ofLimits(workflows: readonly Workflow[]): Finding[] {
  return newestOf(workflows).flatMap(({ name, version: newest, queueing }) =>
    workflows
      .filter((one) => one.name === name && one.version !== newest)
      .filter((one) => !isDeepStrictEqual(limitsOf(one.queueing), limitsOf(queueing)))
      .map(({ version }) =>
        finding(
          "note",
          "older_limits",
          { workflow: name, version },
          `Version ${version} of "${name}" has other limits than version ${newest}, whose limits count for the runs of both.`,
        ),
      ),
  );
}

const limitsOf = (queueing: Workflow["queueing"]) => queueing && { ...queueing.limits, keyed: queueing.keyed };
