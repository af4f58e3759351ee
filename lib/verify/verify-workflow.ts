import type { StandardSchemaV1 } from "@standard-schema/spec";
import { toMilliseconds } from "../engine/duration";
import { HandrailError } from "../engine/errors";
import type { TypedWorkflow, Workflow } from "../engine/workflows/workflow";
import { readEnvOfApp } from "../env-of-app";
import { watchCode } from "./between-steps";
import { type Course, runCourse } from "./course";
import { Findings, findingsOfCode } from "./findings";
import { Lanes } from "./lanes";
import type { VerifyOptions } from "./options";
import type { VerifyReport } from "./report";
import { Scratch } from "./scratch";
import { Sights } from "./watch";

/**
 * Runs a workflow again and again on a real PostgreSQL, breaks it at every boundary, and reports which effect happened
 * twice, never or out of order.
 * @throws HandrailError `unavailable` without a PostgreSQL that lets it create databases; `invalid_input` for an input that
 * the workflow refuses; what `world` throws
 */
export async function verifyWorkflow<Schema extends StandardSchemaV1, Output>(
  workflow: TypedWorkflow<Schema, Output>,
  options: VerifyOptions<StandardSchemaV1.InferInput<Schema>>,
): Promise<VerifyReport> {
  const { inputs, seed = 1, pairs = 0, budget = "60s", prepare, trial } = options;
  if (inputs.length === 0)
    throw new HandrailError("invalid_request", "A verification needs an input: inputs: [{ … }].");
  const began = performance.now();
  const deadline = began + toMilliseconds(budget);
  const scratch = await Scratch.open({ databaseUrl: options.databaseUrl ?? databaseOfEnvironment(), prepare });
  const sights = new Sights(workflow.name);
  const lanes = new Lanes(scratch, workflow as Workflow, options, sights);
  const unwatch = watchCode();
  try {
    const findings = new Findings();
    const courses: Course[] = [];
    for (const input of inputs)
      courses.push(
        await runCourse({ lanes, sights, findings, input, first: countOf(courses), seed, pairs, deadline, trial }),
      );
    for (const finding of findingsOfCode(sights)) findings.add(finding);
    return {
      workflow: workflow.name,
      version: workflow.version,
      steps: [...new Set(courses.flatMap(({ steps }) => steps))],
      inputs: inputs.length,
      ...findings.all(),
      trials: courses.flatMap(({ trials }) => trials),
      skipped: courses.reduce((sum, { skipped }) => sum + skipped, 0),
      seed,
      pairs,
      ms: Math.round(performance.now() - began),
      postgres: await scratch.version(),
    };
  } finally {
    unwatch();
    await lanes.close();
    await scratch.close();
  }
}

const countOf = (courses: readonly Course[]) => courses.reduce((sum, { planned }) => sum + planned, 0);

function databaseOfEnvironment(): string {
  const { directUrl } = readEnvOfApp({});
  if (directUrl) return directUrl;
  throw new HandrailError(
    "unavailable",
    "A verification needs a PostgreSQL on which it may create databases: set databaseUrl, or DATABASE_URL, such as postgresql://postgres:password@127.0.0.1:5432/postgres.",
  );
}
