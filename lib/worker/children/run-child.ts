import { childTimedOut } from "../../engine/runs/child-timeout";
import { handedOn } from "../../engine/runs/headers";
import { type BadEnd, outcomeError } from "../../engine/runs/outcome-error";
import { prepareStart } from "../../engine/runs/start";
import { isBlobUnavailable } from "../../engine/values/blob";
import { type CodecOptions, encodeValue } from "../../engine/values/codec";
import { isLarge } from "../../engine/values/is-large";
import type { SerializedError } from "../../engine/values/serialized-error";
import type { BlobPlace } from "../../store/blobs/announce";
import type { Db } from "../../store/db";
import { newRunId } from "../../store/run-id";
import { type ChildOutcome, childOfStep } from "../../store/runs/children";
import type { KeptStep } from "../../store/steps/record";
import type { ChildRecord } from "../../store/workers/claim-record";
import type { ClaimedStep } from "../../store/workers/claim-runs";
import type { Claim } from "../claims/claim";
import { ClaimLost } from "../claims/claim-lost";
import type { Pass } from "../passes/pass";
import { errorText } from "../steps/error-text";
import type { Ended } from "../steps/keep-outcome";
import type { StepState } from "../steps/step-state";
import type { ChildOutcomes } from "./child-outcomes";
import type { ChildPlan } from "./child-plan";
import type { ChildTimeouts } from "./child-timeouts";

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
  timeouts: ChildTimeouts,
): Promise<Ended> {
  const { live, plan } = state;
  if (live) state.recall(live);
  const begun = child.awaited ? live?.reference : undefined;
  if (begun && claim.trace?.followsLoss) claim.trace.childStart(state, child.workflow.name, begun);
  const wait = begun ? waitFor(begun, live as ClaimedStep) : await rest.work(() => begin(claim, state, child, db));
  const { id } = wait;
  if (!child.awaited) return { next: "completed", output: encodeValue(id) };
  const waitsForRepair = child.options.onFailure === "wait";
  // A joined child may have ended long ago; a new one has just begun.
  for (;;) {
    const outcome = await rest.work(() => outcomes.of(id));
    if (outcome && !(outcome.status === "failed" && waitsForRepair))
      return rest.work(() =>
        keepChildOutcome(claim, state, outcome, { timedOut: wait.timedOut, collects: child.page?.collects ?? false }),
      );
    const dueInMs = wait.overAt === null ? null : wait.overAt - performance.now();
    if (dueInMs === null || dueInMs > 0) {
      await rest.park(plan.name, { kind: "child", dueAt: wait.dueAt, dueInMs });
      continue;
    }
    const waitedMs = child.timeoutMs ?? state.startedMsAgo;
    const { name: workflow } = child.workflow;
    wait.timedOut = errorText(childTimedOut(plan.name, { id, workflow }, waitedMs));
    const late = await rest.work(() => timeouts.end({ state, id, workflow, waitedMs, waitsForRepair }));
    if (late.next === "failed") return late;
    if (late.next === "cancelled") Object.assign(wait, { dueAt: null, overAt: null });
  }
}

/** A step's wait for its child. */
interface ChildWait {
  id: string;
  dueAt: string | null;
  /** On this process's clock; null: no longest wait, or it is over and the child was cancelled. */
  overAt: number | null;
  /** The error of a step whose timeout is over; it is the step's outcome if the child ends as cancelled. */
  timedOut: string | null;
}

const waitFor = (id: string, { dueAt, dueInMs, error }: KeptStep & { error: string | null }): ChildWait => ({
  ...{ id, dueAt, timedOut: error },
  overAt: dueInMs === null ? null : performance.now() + dueInMs,
});

/** Starts the child, or joins the one that the step started before a rerun that kept its key. */
async function begin(claim: Claim, state: StepState, child: ChildPlan, db: Db): Promise<ChildWait> {
  state.begin();
  const joined = await childBefore(claim, state, db);
  const id = joined ?? newRunId();
  const record = joined === undefined ? { child: await prepared(claim, state, child, id) } : {};
  const next = child.timeoutMs === null ? null : { inMs: child.timeoutMs };
  const error = joined === undefined ? null : timedOutBefore(claim.latestRow(state.plan.name), joined);
  const step = child.awaited
    ? state.row("waiting", { reference: id, next, error })
    : { ...state.row("completed", { reference: id }), output: encodeValue(id) };
  const receipt = await claim.keep({ step, ...record });
  return waitFor(id, { ...NOT_DUE, ...receipt.steps.get(state.plan.name), error });
}

const NOT_DUE: KeptStep = { dueAt: null, dueInMs: null };

/** The error of the step before a rerun, if this child was cancelled by its timeout: while it is, the rerun fails alike. */
function timedOutBefore(row: ClaimedStep | undefined, id: string): string | null {
  if (!row?.error || row.reference !== id) return null;
  return (JSON.parse(row.error) as SerializedError).code === "child_timed_out" ? row.error : null;
}

function childBefore(claim: Claim, { plan, keyGeneration }: StepState, db: Db): Promise<string | undefined> {
  if (!claim.latestRow(plan.name)) return Promise.resolve(undefined);
  return claim.retrying(() => childOfStep(db, claim.run.id, plan.name, keyGeneration));
}

/** @throws HandrailError `invalid_input` or `invalid_request`, before anything is written */
async function prepared(claim: Claim, state: StepState, child: ChildPlan, id: string): Promise<ChildRecord> {
  const { awaited, options } = child;
  const { tags, priority, onCancel = awaited ? "cancel" : "leave" } = options;
  const start = child.page
    ? pageStart(child, child.page, claim.bounds)
    : await prepareStart(
        child.workflow,
        child.input,
        { ...(tags && { tags }), ...(priority !== undefined && { priority }) },
        undefined,
        claim.bounds,
      );
  const input = isLarge(start.input) ? await storedUnlessOver(claim, [id, "input"], start.input) : start.input;
  return {
    ...{ id, workflow: start.workflow, version: start.version, input },
    ...{ tags: start.tags, runTitle: start.runTitle, priority: start.priority, queueKey: start.queueKey },
    headers: handedOn(claim.run.headers, options.headers),
    step: state.plan.name,
    keyGeneration: state.keyGeneration,
    endsWithParent: onCancel === "cancel",
    tellsParent: awaited,
    ...(child.page && { pageOf: child.page.of }),
    trace: claim.trace?.childStart(state, start.workflow, id) ?? claim.run.trace,
  };
}

/** A page is a part of its parent: neither the schema, the queue nor the throttle of the workflow is meant for it. */
const pageStart = (
  { workflow, input }: ChildPlan,
  { of, number }: NonNullable<ChildPlan["page"]>,
  bounds: CodecOptions,
) => ({
  ...{ workflow: workflow.name, version: workflow.version, tags: {}, priority: 0, queueKey: null },
  input: encodeValue(input, `page ${number} of mapSteps "${of}"`, bounds),
  runTitle: `${of}, page ${number}`.slice(0, 120).toWellFormed(),
});

const placeOf = (claim: Claim, { plan, generation }: StepState): BlobPlace => [
  claim.run.id,
  "step",
  plan.name,
  generation,
];

/** A claim that ends meanwhile keeps nothing: the next one asks again. */
async function storedUnlessOver(claim: Claim, place: BlobPlace, text: string): Promise<string> {
  try {
    return await claim.stored(place, text);
  } catch (error) {
    throw isBlobUnavailable(error) ? new ClaimLost(claim.run.id) : error;
  }
}

async function keepChildOutcome(
  claim: Claim,
  state: StepState,
  outcome: ChildOutcome,
  { timedOut, collects }: { timedOut: string | null; collects: boolean },
): Promise<Ended> {
  const { id: reference, output } = outcome;
  // A page whose items have all ended has an output, also if some of them failed.
  if (output !== null && (outcome.status === "completed" || (outcome.status === "failed" && collects))) {
    const whole = await claim.loaded([reference, "output"], output, state.plan.name);
    const stored = isLarge(whole) ? await storedUnlessOver(claim, placeOf(claim, state), whole) : whole;
    await claim.keep({ step: state.row("completed", { reference, output: stored }) });
    return { next: "completed", output: whole };
  }
  state.failures++;
  const ended = { ...outcome, status: outcome.status as BadEnd["status"] };
  const failed = () => errorText(outcomeError("child_failed", ended, { step: state.plan.name }));
  const error = outcome.status === "cancelled" && timedOut !== null ? timedOut : failed();
  await claim.keep({ step: state.row("failed", { reference, error }) });
  return { next: "failed", error };
}
