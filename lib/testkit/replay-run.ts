import type { StepKind } from "../engine/steps/step";
import { encodeValue } from "../engine/values/codec";
import { type SerializedError, serializeError } from "../engine/values/serialized-error";
import type { AppServices, Workflow } from "../engine/workflows/workflow";
import { codeFor } from "../engine/workflows/workflow-versions";
import type { ClaimedRun, ClaimedStep } from "../store/workers/claim-runs";
import { rehearse } from "../worker/versions/rehearse";

/** Code that takes longer than this between two steps is considered to wait there. */
const PAUSE_MS = 1_000;

/** A run as the console copies it: its input and its steps' outcomes. */
export interface RunRecording {
  id: string;
  workflow: string;
  version: number;
  generation: number;
  createdAt: string;
  scheduledAt: string | null;
  tags: Record<string, string>;
  headers?: Record<string, string>;
  /** As JSON; values that JSON lacks are written as `{ "$type": … }`, here and in outputs. */
  input: unknown;
  /** Those that have an outcome, in the order in which the code reached them. */
  steps: RecordedStep[];
}

export type RecordedStep = {
  name: string;
  kind: StepKind;
  /** The order of their outcomes: it decides races. */
  place: number;
} & ({ output: unknown } | { error: SerializedError });

export interface Replay {
  /** The recorded steps that the code reached, in its order. */
  steps: { name: string; kind: StepKind }[];
  /** The recorded steps that it did not reach. */
  gone: string[];
  /** What it would run next: steps without a recorded outcome. */
  next: string[];
  end: ReplayEnd;
}

/** `open`: the code waits at the step it would run next. Outputs are JSON, as in the recording. */
export type ReplayEnd =
  | { status: "completed"; output: unknown }
  | { status: "failed"; error: { name: string; message: string } }
  | { status: "open" };

/**
 * Runs the code of a workflow over the recorded results of a run: no body is called, nothing is waited for, no database
 * is needed. The version is the one that a worker with these workflows would choose.
 * @throws when none of `workflows` has the name of the recorded one
 */
export async function replayRun(workflows: readonly Workflow[], recording: RunRecording): Promise<Replay> {
  const run = claimedRun(recording);
  const workflow = codeFor(workflows, run);
  if (!workflow)
    throw new Error(`There is no workflow "${recording.workflow}" here. The workflow may have been renamed.`);
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

/**
 * Code between steps may pass its services to bodies; a call by the code itself is detected here, not in production.
 */
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

function claimedRun({ steps, input, createdAt, scheduledAt, headers, ...run }: RunRecording): ClaimedRun {
  return {
    ...run,
    chosenVersion: null,
    codeVersion: null,
    status: "running",
    epoch: 1,
    input: JSON.stringify(input),
    inputChecked: true,
    titled: true,
    singletonKey: null,
    headers: headers ?? null,
    parentRunId: null,
    pageOf: null,
    createdAt: new Date(createdAt),
    scheduledAt: scheduledAt === null ? null : new Date(scheduledAt),
    cancelRequested: false,
    deadlineInMs: null,
    expired: false,
    lostClaims: 0,
    trace: null,
    claimTrace: null,
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
