import type { StandardSchemaV1 } from "@standard-schema/spec";
import { toMilliseconds } from "../engine/duration";
import { HandrailError } from "../engine/errors";
import type { TypedWorkflow, Workflow } from "../engine/workflows/workflow";
import { readEnvOfApp } from "../env-of-app";
import { Scratch } from "../testkit/scratch";
import { openTestServer } from "../testkit/server";
import { watchCode } from "./between-steps";
import { type Course, runCourse } from "./course";
import { Findings, findingsOfCode } from "./findings";
import { Lanes } from "./lanes";
import type { VerifyOptions } from "./options";
import type { VerifyReport } from "./report";
import { Sights } from "./watch";

/**
 * Runs a workflow again and again on a real PostgreSQL, breaks it at every boundary, and reports which effect happened
 * twice, never or out of order.
 * @throws HandrailError `unavailable` without a PostgreSQL that lets it create databases, its own embedded one included; `invalid_input` for an input that
 * the workflow refuses; `invalid_request` without an input, for a trial that there is not, or for another workflow or a newer version as `against`; what `world` throws
 */
export const verifyWorkflow = <Schema extends StandardSchemaV1, Output>(
  workflow: TypedWorkflow<Schema, Output>,
  options: VerifyOptions<StandardSchemaV1.InferInput<Schema>>,
): Promise<VerifyReport> => verifySome(workflow as Workflow, options, 1);

/** The same with one in so many faults, others for another seed. */
export async function verifySome(workflow: Workflow, options: VerifyOptions, share: number): Promise<VerifyReport> {
  const { inputs, against, seed = 1, pairs = 0, budget = "60s", trial } = options;
  if (inputs.length === 0)
    throw new HandrailError("invalid_request", "A verification needs an input: inputs: [{ … }].");
  if (against) checkOlder(workflow, against);
  const began = performance.now();
  const deadline = began + toMilliseconds(budget);
  const { server, scratch } = await openScratch(options);
  const sights = new Sights(workflow.name);
  const lanes = new Lanes(scratch, workflow, options, sights);
  const unwatch = watchCode();
  try {
    const findings = new Findings();
    const courses: Course[] = [];
    for (const [place, input] of inputs.entries())
      courses.push(
        await runCourse({
          lanes,
          sights,
          findings,
          input,
          place,
          seed,
          pairs,
          deadline,
          trial,
          share,
        }),
      );
    for (const finding of findingsOfCode(sights)) findings.add(finding);
    if (courses.some(({ untried }) => untried > 0)) findings.add(unfinished);
    const trials = courses.flatMap((course) => course.trials);
    if (trial !== undefined && !isTried(trial, trials, courses)) throw noTrial(trial);
    return {
      workflow: workflow.name,
      version: workflow.version,
      against: against?.version ?? null,
      steps: [...new Set(courses.flatMap(({ steps }) => steps))],
      inputs: inputs.length,
      ...findings.all(),
      trials,
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
    await server.release();
  }
}

function checkOlder({ name, version }: Workflow, against: Workflow): void {
  if (against.name !== name)
    throw new HandrailError("invalid_request", `against: is "${against.name}", and no older build of "${name}".`);
  if (against.version > version)
    throw new HandrailError(
      "invalid_request",
      `against: has version ${against.version} of "${name}", and this build has ${version}: give the older build as against.`,
    );
}

/** What was not tried is not shown to be safe. */
const unfinished = {
  kind: "unfinished",
  step: null,
  seen: "not every fault was tried",
  todo: 'Give it more time, such as budget: "5m" or --budget 5m.',
  line: null,
  trial: null,
  faults: [],
} satisfies Parameters<Findings["add"]>[0];

/** Also when the budget left no time for it, or the run without faults no trial: then the report says that. */
const isTried = (trial: number, trials: VerifyReport["trials"], courses: readonly Course[]): boolean =>
  trials.some(({ number, verdict }) => number === trial || (number === 0 && verdict === "finding")) ||
  courses.some(({ skipped }) => skipped > 0);

const noTrial = (trial: number) =>
  new HandrailError(
    "invalid_request",
    `There is no trial ${trial}. Take the number, the pairs and the seed from a report of the workflow as it is now.`,
  );

/** On the named server, on that of the environment, or on an embedded one. */
async function openScratch({ databaseUrl, prepare }: Pick<VerifyOptions, "databaseUrl" | "prepare">) {
  const server = await openTestServer(databaseUrl ?? readEnvOfApp({}).directUrl, "DATABASE_URL");
  try {
    return { server, scratch: await Scratch.open({ databaseUrl: server.url, prepare }) };
  } catch (error) {
    await server.release();
    throw error;
  }
}
