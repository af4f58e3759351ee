import type { StepKind } from "../engine/steps/step";
import { encodeValue } from "../engine/values/codec";
import { type SerializedError, serializeError } from "../engine/values/serialized-error";
import type { AppServices, Workflow } from "../engine/workflows/workflow";
import { codeFor } from "../engine/workflows/workflow-versions";
import type { ClaimedRun, ClaimedStep } from "../store/workers/claim-runs";
import { rehearse } from "../worker/versions/rehearse";

/** Code that takes longer than this between two steps is taken to stand there. */
const PAUSE_MS = 1_000;

/** A run as the console copies it: what it was given, and what its steps came to. */
export interface RunRecording {
  id: string;
  workflow: string;
  version: number;
  generation: number;
  createdAt: string;
  scheduledAt: string | null;
  tags: Record<string, string>;
  /** As JSON; what JSON lacks stands as `{ "$type": … }`, here and in outputs. */
  input: unknown;
  /** That have an outcome, in the order in which the code came to them. */
  steps: RecordedStep[];
}

export type RecordedStep = {
  name: string;
  kind: StepKind;
  /** Which of them came to its outcome first, second, and so on: it decides races. */
  place: number;
} & ({ output: unknown } | { error: SerializedError });

export interface Replay {
  /** The recorded steps that the code came to, in its order. */
  steps: { name: string; kind: StepKind }[];
  /** The recorded steps that it did not come to. */
  gone: string[];
  /** What it would run next: steps that the recording has no outcome of. */
  next: string[];
  end: ReplayEnd;
}

/** `open`: the code stands at what it would run next. Outputs are JSON, as in the recording. */
export type ReplayEnd =
  | { status: "completed"; output: unknown }
  | { status: "failed"; error: { name: string; message: string } }
  | { status: "open" };

/**
 * Runs the code of a workflow over the recorded results of a run: no body is called, nothing is waited for, no database is
 * needed. The version is the one that a worker with these workflows would take.
 * @throws when none of `workflows` has the name of the recorded one
 */
export async function replayRun(workflows: readonly Workflow[], recording: RunRecording): Promise<Replay> {
  const run = claimedRun(recording);
  const workflow = codeFor(workflows, run);
  if (!workflow) throw new Error(`There is no workflow "${recording.workflow}" here. It may have been renamed.`);
  const { met, gone, next, end } = await rehearse(run, workflow, bodiesOnly, { pauseMs: PAUSE_MS });
  return {
    steps: [...met.values()].map(({ name, kind }) => ({ name, kind })),
    gone,
    next,
    end: end ? endOf(end) : { status: "open" },
  };
}

function endOf(end: { status: "completed"; output: unknown } | { status: "failed"; error: unknown }): ReplayEnd {
  if (end.status === "completed") return { status: "completed", output: JSON.parse(encodeValue(end.output)) };
  const { name, message } = serializeError(end.error);
  return { status: "failed", error: { name, message } };
}

/** Code between steps may name its services, for bodies to call; what it calls itself is found here, not in production. */
const bodiesOnly: AppServices = new Proxy({} as AppServices, {
  get: (_, service) => refusing(`ctx.services.${String(service)}`),
});

const refusing = (path: string): unknown =>
  new Proxy(() => undefined, {
    get: (_, name) => (typeof name === "symbol" ? undefined : refusing(`${path}.${name}`)),
    apply: () => {
      throw new Error(`${path} was called between steps: a replay calls no body, and only bodies may call services.`);
    },
  });

function claimedRun({ steps, input, createdAt, scheduledAt, ...run }: RunRecording): ClaimedRun {
  return {
    ...run,
    chosenVersion: null,
    codeVersion: null,
    status: "running",
    epoch: 1,
    input: JSON.stringify(input),
    inputChecked: true,
    parentRunId: null,
    createdAt: new Date(createdAt),
    scheduledAt: scheduledAt === null ? null : new Date(scheduledAt),
    cancelRequested: false,
    deadlineInMs: null,
    steps: steps.map(claimedStep),
  };
}

function claimedStep({ name, kind, place, ...outcome }: RecordedStep, index: number): ClaimedStep {
  const failed = "error" in outcome;
  return {
    name,
    kind,
    effect: "idempotent",
    status: failed ? "failed" : "completed",
    generation: 1,
    position: index + 1,
    finishedPosition: place,
    attempt: 1,
    maxAttempts: 1,
    failures: 0,
    keyGeneration: 1,
    output: failed ? null : JSON.stringify(outcome.output),
    error: failed ? JSON.stringify(outcome.error) : null,
    doubt: null,
    reference: null,
    workerId: null,
    dueAt: null,
    dueInMs: null,
    startedMsAgo: 0,
    nextKeyGeneration: null,
  };
}
