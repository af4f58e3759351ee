import { standingSteps } from "@/components/domain/run/rerun-split";
import { lookOfRun } from "@/components/domain/run/run-looks";
import { sourceText, type Unshown } from "@/components/parts/values/source-text";
import type { Json } from "@/components/parts/values/value-node";
import type { Run, Step } from "@/lib/api/contract/run";
import type { ErrorCode } from "@/lib/engine/errors";
import { HIDDEN } from "@/lib/engine/privacy/hidden-text";
import { hasEnded } from "@/lib/engine/runs/run";

/** Outcomes set by the engine, unknown to the code. */
const NOT_BY_ITS_CODE: readonly string[] = [
  "run_timed_out",
  "start_expired",
  "drifted",
  "poisonous_run",
  "payload_locked",
  "blob_unavailable",
] satisfies ErrorCode[];

const GIVEN: Unshown = { masked: "MASKED", hidden: (text) => JSON.stringify(text) };
const EXPECTED: Unshown = { masked: "expect.anything()", hidden: () => "expect.any(String)" };

/** Why no test can be generated from the run; null if one can. */
export const whyNoTest = (run: Run): string | null =>
  run.steps.length + run.stepsLeftOut > 5_000 ? "More than 5,000 steps: not all of their results are loaded." : null;

/**
 * A vitest file that replays the workflow's code over the outcomes of this run's steps. `address`: of the run's page.
 */
export function asTest(run: Run, address: string): string {
  const recording = recordingOf(run);
  const given = sourceText(recording, GIVEN);
  const expected = expectation(run);
  return [
    `import { expect, it } from "vitest";`,
    `import { type RunRecording, replayRun } from "@/lib/testkit/replay-run";`,
    `import app from "@/handrail.config"; // of the demo: "@/demo/app"`,
    "",
    `// ${run.workflow} v${run.codeVersion}, ${lookOfRun(run).word.toLowerCase()}: ${address}`,
    "// No step body is called: every step returns its recorded result. Red: the code now takes another path.",
    "",
    ...masksNote(given),
    `const recording: RunRecording = ${given};`,
    "",
    `it(${JSON.stringify(`${run.workflow} takes the path of run ${run.id}`)}, async () => {`,
    "  expect(await replayRun(app.workflows, recording)).toEqual({",
    "    steps: recording.steps.map(({ name, kind }) => ({ name, kind })),",
    "    gone: [],",
    `    next: ${expected.next},`,
    `    end: ${expected.end},`,
    "  });",
    "});",
    "",
  ].join("\n");
}

function masksNote(given: string): string[] {
  // The text never holds a bare line break.
  const masked = given.includes(` ${GIVEN.masked},\n`);
  if (!masked && !given.includes(HIDDEN)) return [];
  return [
    "// Some values are masked, and stay so here. Where the code reads one, replace it with a sample value.",
    ...(masked ? [`const ${GIVEN.masked} = "(masked)";`] : []),
    "",
  ];
}

const isKept = ({ status }: Step) => status === "completed" || status === "skipped" || status === "failed";

function recordingOf(run: Run): Json {
  const kept = standingSteps(run.steps).filter(isKept);
  return {
    id: run.id,
    workflow: run.workflow,
    version: run.codeVersion,
    generation: run.generation,
    createdAt: run.createdAt,
    scheduledAt: run.scheduledAt,
    tags: run.tags,
    ...(Object.keys(run.headers).length > 0 && { headers: run.headers }),
    input: run.input as Json,
    steps: kept.map((step) => ({
      name: step.name,
      kind: step.kind,
      place: step.finishedPosition ?? step.position,
      ...(step.status === "failed" ? { error: briefError(step.error) } : { output: step.output as Json }),
    })),
  };
}

function briefError(error: Step["error"]): Json {
  if (!error) return { name: "Error", message: "" };
  const { name, message, code, cause } = error;
  return { name, message, ...(code !== undefined && { code }), ...(cause && { cause: briefError(cause) }) };
}

/** The expected end of the replay, as source. */
function expectation(run: Run): { next: string; end: string } {
  const open = standingSteps(run.steps).filter((step) => !isKept(step));
  const next = JSON.stringify(open.map(({ name }) => name));
  const end = (value: Json) => sourceText(value, EXPECTED, 2);
  if (run.status === "completed") return { next, end: end({ status: "completed", output: run.output as Json }) };
  if (hasEndedByItsCode(run) && run.error) {
    const { name, message } = run.error;
    return { next, end: end({ status: "failed", error: { name, message } }) };
  }
  // Between two steps, the next step is unknown.
  return { next: open.length > 0 ? next : "expect.any(Array)", end: end({ status: "open" }) };
}

function hasEndedByItsCode({ status, error, failedStep }: Run): boolean {
  if (!hasEnded(status) && status !== "compensating") return false;
  return failedStep !== null || (error !== null && !NOT_BY_ITS_CODE.includes(error.code ?? ""));
}
