import { outcomeError } from "../../engine/runs/outcome-error";
import { prepareStart } from "../../engine/runs/start";
import { decodeValue, encodeValue } from "../../engine/values/codec";
import type { Db } from "../../store/db";
import { newRunId } from "../../store/run-id";
import { type ChildOutcome, childOfStep } from "../../store/runs/children";
import type { ChildRecord } from "../../store/workers/claim-record";
import type { ChildPlan } from "../passes/context";
import type { Pass } from "../passes/pass";
import { errorText } from "../steps/error-text";
import type { Kept } from "../steps/keep-outcome";
import { keptError } from "../steps/kept-error";
import { isKept, keptOutcome } from "../steps/kept-step";
import type { StepPlan } from "../steps/step-plan";
import { StepState } from "../steps/step-state";
import type { ChildOutcomes } from "./child-outcomes";

/**
 * Starts a run and, if its author waits for it, returns its outcome. The child's row and the parent's step are one
 * record, so that neither exists without the other; from then on the step's reference is the child's id.
 */
export async function runChild(
  pass: Pass,
  plan: StepPlan,
  child: ChildPlan,
  db: Db,
  outcomes: ChildOutcomes,
): Promise<unknown> {
  const row = pass.latestRow(plan.name);
  const live = row?.nextKeyGeneration === null ? row : undefined;
  if (live && isKept(live)) {
    await pass.order.turn(live.finishedPosition);
    return keptOutcome(live);
  }
  const state = new StepState(plan, pass);
  await pass.beginAnew(plan.name);
  if (live) state.recall(live);
  try {
    const kept = await (child.awaited
      ? awaitChild(pass, state, child, live?.reference ?? null, db, outcomes)
      : pass.work(() => begin(pass, state, child, db)));
    await state.turn();
    if (kept.next === "failed") throw keptError(plan.name, kept.error);
    return decodeValue(kept.output);
  } finally {
    state.withoutOutcome();
  }
}

type Ended = Extract<Kept, { next: "completed" | "failed" }>;
type Begun = Extract<Kept, { next: "completed" }>;

async function awaitChild(
  pass: Pass,
  state: StepState,
  child: ChildPlan,
  begun: string | null,
  db: Db,
  outcomes: ChildOutcomes,
): Promise<Ended> {
  // A joined child may have ended long ago; a new one has just begun.
  const started = begun === null ? await pass.work(() => begin(pass, state, child, db)) : undefined;
  const childId = begun ?? (decodeValue((started as Begun).output) as string);
  for (;;) {
    const outcome = await pass.work(() => outcomes.of(childId));
    if (outcome && !(outcome.status === "failed" && child.options.onFailure === "wait"))
      return pass.work(() => keepChildOutcome(pass, state, outcome));
    await pass.park(state.plan.name, { kind: "child", dueAt: null, dueInMs: null });
  }
}

/** Returns the child's id: of a new run, or of the one that the step started before a rerun that kept its key. */
async function begin(pass: Pass, state: StepState, child: ChildPlan, db: Db): Promise<Begun> {
  state.begin();
  const joined = await childBefore(pass, state, db);
  const id = joined ?? newRunId();
  const output = encodeValue(id);
  const record = joined === undefined ? { child: await prepared(state, child, id) } : {};
  const step = child.awaited
    ? state.row("waiting", { reference: id })
    : { ...state.row("completed", { reference: id }), output };
  await pass.keep({ step, ...record });
  return { next: "completed", output };
}

function childBefore(pass: Pass, { plan, keyGeneration }: StepState, db: Db): Promise<string | undefined> {
  if (!pass.latestRow(plan.name)) return Promise.resolve(undefined);
  return pass.retrying(() => childOfStep(db, pass.run.id, plan.name, keyGeneration));
}

/** @throws HandrailError `invalid_input` or `invalid_request`, before anything is written */
async function prepared(state: StepState, child: ChildPlan, id: string): Promise<ChildRecord> {
  const { awaited, options } = child;
  const { tags, priority, onCancel = awaited ? "cancel" : "leave" } = options;
  const start = await prepareStart(child.workflow, child.input, {
    ...(tags && { tags }),
    ...(priority !== undefined && { priority }),
  });
  return {
    ...{ id, workflow: start.workflow, version: start.version, input: start.input },
    ...{ tags: start.tags, priority: start.priority, queueKey: start.queueKey },
    step: state.plan.name,
    keyGeneration: state.keyGeneration,
    endsWithParent: onCancel === "cancel",
    tellsParent: awaited,
  };
}

async function keepChildOutcome(pass: Pass, state: StepState, outcome: ChildOutcome): Promise<Ended> {
  const { id: reference } = outcome;
  if (outcome.status === "completed") {
    const output = outcome.output as string;
    await pass.keep({ step: state.row("completed", { reference, output }) });
    return { next: "completed", output };
  }
  state.failures++;
  const ended = { ...outcome, status: outcome.status };
  const error = errorText(outcomeError("child_failed", ended, { step: state.plan.name }));
  await pass.keep({ step: state.row("failed", { reference, error }) });
  return { next: "failed", error };
}
