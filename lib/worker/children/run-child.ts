import { outcomeError } from "../../engine/runs/outcome-error";
import { prepareStart } from "../../engine/runs/start";
import { encodeValue } from "../../engine/values/codec";
import type { Db } from "../../store/db";
import { newRunId } from "../../store/run-id";
import { type ChildOutcome, childOfStep } from "../../store/runs/children";
import type { ChildRecord } from "../../store/workers/claim-record";
import type { Claim } from "../claims/claim";
import type { ChildPlan } from "../passes/context";
import type { Pass } from "../passes/pass";
import { errorText } from "../steps/error-text";
import type { Ended } from "../steps/keep-outcome";
import type { StepState } from "../steps/step-state";
import type { ChildOutcomes } from "./child-outcomes";

/**
 * Starts a run and, if its author waits for it, returns its outcome. The child's row and the parent's step are one
 * record, so that neither exists without the other; from then on the step's reference is the child's id.
 */
export async function runChild(
  { claim, rest }: Pass,
  state: StepState,
  child: ChildPlan,
  db: Db,
  outcomes: ChildOutcomes,
): Promise<Ended> {
  const { live, plan } = state;
  if (live) state.recall(live);
  const begun = child.awaited ? live?.reference : undefined;
  if (begun && claim.trace?.followsLoss) claim.trace.childStart(state, child.workflow.name, begun);
  const id = begun ?? (await rest.work(() => begin(claim, state, child, db)));
  if (!child.awaited) return { next: "completed", output: encodeValue(id) };
  // A joined child may have ended long ago; a new one has just begun.
  for (;;) {
    const outcome = await rest.work(() => outcomes.of(id));
    if (outcome && !(outcome.status === "failed" && child.options.onFailure === "wait"))
      return rest.work(() => keepChildOutcome(claim, state, outcome));
    await rest.park(plan.name, { kind: "child", dueAt: null, dueInMs: null });
  }
}

/** Returns the child's id: of a new run, or of the one that the step started before a rerun that kept its key. */
async function begin(claim: Claim, state: StepState, child: ChildPlan, db: Db): Promise<string> {
  state.begin();
  const joined = await childBefore(claim, state, db);
  const id = joined ?? newRunId();
  const record = joined === undefined ? { child: await prepared(claim, state, child, id) } : {};
  const step = child.awaited
    ? state.row("waiting", { reference: id })
    : { ...state.row("completed", { reference: id }), output: encodeValue(id) };
  await claim.keep({ step, ...record });
  return id;
}

function childBefore(claim: Claim, { plan, keyGeneration }: StepState, db: Db): Promise<string | undefined> {
  if (!claim.latestRow(plan.name)) return Promise.resolve(undefined);
  return claim.retrying(() => childOfStep(db, claim.run.id, plan.name, keyGeneration));
}

/** @throws HandrailError `invalid_input` or `invalid_request`, before anything is written */
async function prepared(claim: Claim, state: StepState, child: ChildPlan, id: string): Promise<ChildRecord> {
  const { awaited, options } = child;
  const { tags, priority, onCancel = awaited ? "cancel" : "leave" } = options;
  const start = await prepareStart(child.workflow, child.input, {
    ...(tags && { tags }),
    ...(priority !== undefined && { priority }),
  });
  return {
    ...{ id, workflow: start.workflow, version: start.version, input: start.input },
    ...{ tags: start.tags, runTitle: start.runTitle, priority: start.priority, queueKey: start.queueKey },
    step: state.plan.name,
    keyGeneration: state.keyGeneration,
    endsWithParent: onCancel === "cancel",
    tellsParent: awaited,
    trace: claim.trace?.childStart(state, start.workflow, id) ?? claim.run.trace,
  };
}

async function keepChildOutcome(claim: Claim, state: StepState, outcome: ChildOutcome): Promise<Ended> {
  const { id: reference } = outcome;
  if (outcome.status === "completed") {
    const output = outcome.output as string;
    await claim.keep({ step: state.row("completed", { reference, output }) });
    return { next: "completed", output };
  }
  state.failures++;
  const ended = { ...outcome, status: outcome.status };
  const error = errorText(outcomeError("child_failed", ended, { step: state.plan.name }));
  await claim.keep({ step: state.row("failed", { reference, error }) });
  return { next: "failed", error };
}
