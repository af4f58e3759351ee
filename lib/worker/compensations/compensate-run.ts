import { HandrailError } from "../../engine/errors";
import { compensationIdempotencyKey } from "../../engine/steps/idempotency-key";
import { isFinal } from "../../engine/steps/retry-policy";
import { isBlob } from "../../engine/values/blob";
import { decodeValue } from "../../engine/values/codec";
import type { AppTransaction, CompensationBody } from "../../engine/workflows/step-options";
import type { AppServices, Workflow } from "../../engine/workflows/workflow";
import {
  beginCompensation,
  type CompensationResult,
  keepCompensation,
  type OpenCompensation,
  openCompensations,
  releaseCompensations,
} from "../../store/compensations/next-compensation";
import { isTrouble } from "../../store/database/trouble";
import type { Db } from "../../store/db";
import { recordAlone } from "../../store/steps/record";
import type { ClaimedRun } from "../../store/workers/claim-runs";
import type { TracedSpan } from "../../traces/claim-trace";
import { activeTraceparent, within } from "../../traces/tracing";
import type { OpenApp } from "../app";
import { type Claim, isLeftToLater } from "../claims/claim";
import { ClaimLost } from "../claims/claim-lost";
import type { ClaimEnd } from "../claims/tally";
import { faultPoint } from "../fault-points";
import { begunPages, pagesByOutcome } from "../maps/begun-pages";
import type { BegunPages } from "../maps/map-in-pages";
import { headersOf } from "../passes/context";
import { loadedRun } from "../passes/loaded-run";
import type { Pass } from "../passes/pass";
import { around } from "../steps/around";
import type { BodyAborts } from "../steps/body-aborts";
import { errorText } from "../steps/error-text";
import { type Limits, withinLimits } from "../steps/limits";
import { nextAttempt } from "../steps/next-attempt";
import { runBody } from "../steps/running-body";
import type { StepPlan } from "../steps/step-plan";
import { againOnConflict } from "../transactions/conflicts";
import { assertInside, endedByItsBody, type Trace } from "../transactions/own-transaction";
import { rehearse } from "../versions/rehearse";

/**
 * Runs the compensations that a worker must do, in reverse order of completion, each to a recorded end. One with its
 * retries exhausted, or a manual one, ends the claim: those behind it wait.
 */
export async function compensateRun(
  pass: Pass,
  workflow: Workflow,
  db: Db,
  { app }: { app: OpenApp },
): Promise<ClaimEnd> {
  const { claim, rest } = pass;
  const { id, epoch } = claim.run;
  const open = await claim.retrying(() => openCompensations(db, id));
  const run = await loadedRun(claim, claim.run);
  const pages = await begunPages(run, db, claim).catch((error: unknown) => {
    if (!isLeftToLater(error)) throw error;
    return pagesByOutcome(run.steps);
  });
  const plans = await within(claim.root, () => collectCompensations(run, workflow, app.services, open, pages));
  while (!rest.stopReason) {
    await faultPoint("compensation:before-start-mark");
    const current = await claim.retrying(() => beginCompensation(db, id, epoch, claim.workerId));
    if (current === "lost") return "lost";
    if (current === "none") return "compensating";
    if (current.wasLost) claim.trace?.lostCompensation(current);
    const span = claim.trace?.compensation(current);
    current.output = wholeOutput(current, claim.run, run);
    const kept = await within(span?.context ?? claim.root, () =>
      compensateStep(pass, plans.get(current.step), current, db, app, span),
    );
    span?.end(kept ? undefined : "lost");
    await faultPoint("compensation:after-record", current.step);
    if (!kept) return "lost";
  }
  await claim.retrying(() => releaseCompensations(db, id, epoch));
  return "compensating";
}

/** Of a large output, the run's steps have been loaded with the value. */
function wholeOutput({ output }: OpenCompensation, asClaimed: ClaimedRun, loaded: ClaimedRun): string {
  if (!isBlob(output)) return output;
  const at = asClaimed.steps.findIndex((step) => step.output === output);
  return loaded.steps[at]?.output ?? output;
}

/** False: the claim is lost. */
async function compensateStep(
  pass: Pass,
  plan: StepPlan | undefined,
  current: OpenCompensation,
  db: Db,
  app: OpenApp,
  span: TracedSpan | undefined,
): Promise<boolean> {
  const { claim, rest } = pass;
  const { id, epoch } = claim.run;
  const keep = async (outcome: CompensationResult) => {
    await claim.keepNotes();
    return (await claim.retrying(() => keepCompensation(db, id, epoch, current, outcome))) !== "lost";
  };
  if (!plan || typeof plan.compensate !== "function")
    return keep({ to: "failed", error: errorText(missing(claim.run.workflow, current.step)) });
  try {
    await faultPoint("compensation:before-body", current.step);
    claim.assertOwned();
    if (plan.kind === "transaction") {
      await compensateInTransaction(pass, plan, current, db, app);
      return true;
    }
    await withinLimits(rest.bodies, plan, (limits) => runCompensation(claim, plan, current, limits));
    await faultPoint("compensation:after-body", current.step);
  } catch (error) {
    if (error instanceof ClaimLost) return false;
    if (error instanceof KeptBefore) return true;
    span?.fail(error);
    return keep(afterFailure(rest.bodies, plan, current, error));
  }
  return keep({ to: "completed" });
}

function runCompensation(
  claim: Claim,
  { compensate, effect }: StepPlan,
  current: OpenCompensation,
  limits: Limits,
  tx?: AppTransaction,
) {
  const idempotencyKey = compensationIdempotencyKey(claim.run.id, current.step, current.keyGeneration);
  const { step, attempt } = current;
  const { signal } = limits;
  const log: CompensationBody["log"] = (message, data, level) =>
    claim.notes.log({ during: "undo", step, attempt }, message, data, level);
  const traceparent = activeTraceparent() ?? claim.traceparent;
  const given = { idempotencyKey, signal, attempt, headers: headersOf(claim.run), log, traceparent };
  const body: CompensationBody = { ...given, tx: tx as AppTransaction };
  return runBody({ kind: "compensation", step, captured: claim.capturing(log) }, () =>
    around(
      claim,
      () => ({ kind: "compensation", step, effect, attempt, idempotencyKey, signal, log }),
      () => (compensate as Undoing)(decodeValue(current.output), body),
      limits,
    ),
  );
}
type Undoing = Exclude<StepPlan["compensate"], "manual" | undefined>;

/** Another attempt, or a person, has recorded this outcome: the writes of this one roll back. */
class KeptBefore extends Error {}

/** The compensation's writes to the app's database commit together with its record, once. */
async function compensateInTransaction(
  { claim, rest }: Pass,
  plan: StepPlan,
  current: OpenCompensation,
  db: Db,
  app: OpenApp,
): Promise<void> {
  const { id: runId, epoch } = claim.run;
  const commitOnce = (begun: () => void, signal: AbortSignal, trace: Trace) =>
    app.transactions.app(async (client, tx, id) => {
      trace.id = id;
      begun();
      await runCompensation(claim, plan, current, { signal }, client);
      signal.throwIfAborted();
      await faultPoint("compensation:after-body", current.step);
      await assertInside(tx, trace);
      // In this transaction: a flush could wait for the very connection that this one holds.
      await claim.keepNotes((notes) => recordAlone(tx, [notes]));
      const receipt = await keepCompensation(tx, runId, epoch, current, { to: "completed" });
      if (receipt === "lost") throw new ClaimLost(runId);
      if (receipt === "unchanged") throw new KeptBefore();
      trace.written = true;
    });
  await withinLimits(rest.bodies, plan, ({ signal }) =>
    againOnConflict(
      (begun) => {
        const trace: Trace = { id: undefined, written: false };
        return commitOnce(begun, signal, trace).catch(async (error) => {
          // If it was committed after all, the next try finds its record.
          if (isTrouble(error)) await claim.untilUsable(db);
          throw (await endedByItsBody(claim, db, trace, current.step, error)) ?? error;
        });
      },
      signal,
      claim.tally,
    ),
  );
}

function afterFailure(
  bodies: BodyAborts,
  plan: StepPlan,
  current: OpenCompensation,
  thrown: unknown,
): CompensationResult {
  const error = errorText(thrown);
  // A shutdown is not the compensation's failure.
  if (bodies.because && !isFinal(thrown)) return { to: "owed", error, delayMs: 0, cutOff: true };
  const decision = nextAttempt(plan.retry, current.failures + 1, thrown);
  return decision.retry ? { to: "owed", error, delayMs: decision.delayMs } : { to: "failed", error };
}

const missing = (workflow: string, step: string) =>
  new HandrailError(
    "compensation_missing",
    `The code of "${workflow}" that runs here did not reach step "${step}", or no longer declares a compensation for it. Compensate the step manually, or deploy code that can.`,
    { step },
  );

const LONGEST_PAUSE_MS = 5_000;

/** A step's compensation is declared with the step in code, so the workflow's code runs once more to find it. */
async function collectCompensations(
  run: ClaimedRun,
  workflow: Workflow,
  services: AppServices,
  wanted: readonly string[],
  pages: BegunPages,
): Promise<Map<string, StepPlan>> {
  const missing = new Set(wanted);
  const enough = ({ name }: StepPlan) => missing.delete(name) && missing.size === 0;
  return (await rehearse(run, workflow, services, { pauseMs: LONGEST_PAUSE_MS, enough, pages })).met;
}
