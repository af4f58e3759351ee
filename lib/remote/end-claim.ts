import type { HandrailError } from "../engine/errors";
import { hasEnded, type RunStatus, type WaitKind } from "../engine/runs/run";
import { runTimedOut } from "../engine/runs/run-deadline";
import { DEFAULT_RETRY } from "../engine/steps/retry-policy";
import type { StepKind } from "../engine/steps/step";
import type { Desk } from "../operator/desk";
import { encodeGiven } from "../operator/given-value";
import { failAndCompensate } from "../store/compensations/fail-and-compensate";
import { releaseCompensations } from "../store/compensations/next-compensation";
import { databaseNow } from "../store/database/database-now";
import type { Db } from "../store/db";
import { wakeParents } from "../store/runs/wake-parents";
import { cutOffSteps } from "../store/steps/cut-off-steps";
import type { RunChange } from "../store/workers/claim-record";
import { type HeldRun, type HeldStep, holdRun } from "../store/workers/hold-run";
import { selectRemoteDefinition } from "../store/workers/remote-workers";
import { errorText } from "../worker/steps/error-text";
import { resumeStep } from "../worker/steps/resume-step";
import { planStep } from "../worker/steps/step-plan";
import { StepState } from "../worker/steps/step-state";
import { suspension } from "../worker/waits/suspension";
import type { Wait } from "../worker/waits/waits";
import { reasonToStop } from "./ask";
import { compensationOptions, declaredBefore } from "./declared-compensation";
import { type ClaimOf, type HeldClaim, refuseUnlessRunning, underClaim } from "./held-claim";
import { type ReportedError, reportedError } from "./reported-error";

/** How a run ended, as its worker reports it. */
export type End =
  | { outcome: "completed"; output: unknown }
  | { outcome: "failed"; error: ReportedError /** The failed step that it came from. */; failedStep?: string };

/** Why a run is handed back. */
export interface Rest {
  /** Steps whose answer was to wait. */
  waitsFor: readonly string[];
  /** The least of these answers, in milliseconds: an event may arrive earlier. */
  inMs?: number;
}

export interface Ended {
  /** The run's new status. */
  status: RunStatus;
  parentRunId: string | null;
}

/**
 * The run's code has ended. The same end sent again gets the same answer.
 * @throws HandrailError `claim_lost`, `invalid_input`
 */
export async function endRun(desk: Desk, of: ClaimOf, end: End): Promise<Ended> {
  const steps = end.outcome === "failed" && end.failedStep !== undefined ? [end.failedStep] : [];
  const ended = (run: HeldRun) => (hasEnded(run.status) || run.status === "compensating" ? endedAs(run) : undefined);
  return tellOthers(
    desk,
    of.runId,
    await underClaim(desk, of, { steps, ended }, async (claim) => {
      refuseUnlessRunning(claim.run);
      // A body whose outcome was never reported: no worker will continue it.
      await cutOffSteps(claim.tx, of.runId, of.epoch);
      if (end.outcome === "failed") await fail(claim, errorText(reportedError(end.error)), failedStepOf(claim, end));
      else await complete(claim, end.output);
      return after(claim);
    }),
  );
}

/**
 * The claim ends and the run continues: when one of the steps in `waitsFor` is due or has its event; without any, as
 * soon as a worker claims it. A run that is to stop stops here.
 * @throws HandrailError `claim_lost`
 */
export async function handBack(desk: Desk, of: ClaimOf, rest: Rest): Promise<Ended> {
  const looking = { steps: rest.waitsFor, running: true, ended: endedAs };
  return tellOthers(desk, of.runId, await underClaim(desk, of, looking, (claim) => letGo(claim, rest)));
}

/** How a run is left at rest: also one that must not begin at all. */
export async function letGo(claim: HeldClaim, rest: Rest): Promise<Ended> {
  const { tx, run } = claim;
  if (run.status === "compensating") await releaseCompensations(tx, run.id, run.epoch);
  else await letRunGo(claim, rest);
  return after(claim);
}

async function letRunGo(claim: HeldClaim, rest: Rest): Promise<void> {
  const { tx, run } = claim;
  const because = reasonToStop(run);
  if (because === "cancelled" || because === "timed_out") await cutOffSteps(tx, run.id, run.epoch);
  if (because === "timed_out") await fail(claim, errorText(await timedOut(claim)), null);
  else if (because === "cancelled") await claim.keep({ run: { to: "cancelled" } });
  else await claim.keep({ run: await comeToRest(claim, rest) });
}

async function timedOut({ tx, run }: HeldClaim): Promise<HandrailError> {
  const definition = await selectRemoteDefinition(tx, run.workflow, run.version);
  return runTimedOut(definition?.timeoutMs);
}

async function comeToRest(claim: HeldClaim, { waitsFor, inMs }: Rest): Promise<RunChange> {
  const cutOff = claim.held.steps.filter(({ status }) => status === "running");
  for (const row of cutOff) await leave(claim, row);
  const open = waitsFor.map((name) => waitOf(name, claim.latestRow(name)));
  const waits = open.filter((wait) => wait !== undefined);
  // It has what it waited for, or a body was interrupted: it can continue at once.
  if (cutOff.length > 0 || waits.length === 0 || waits.length < open.length) return { to: "pending" };
  const change = suspension(new Map(waits));
  return change.to === "waiting" && inMs !== undefined ? lookAgain(claim.tx, change, inMs) : change;
}

/** The run is due by then, whatever its waits say. */
async function lookAgain(tx: Db, change: RunChange & { to: "waiting" }, inMs: number): Promise<RunChange> {
  const at = new Date((await databaseNow(tx)).getTime() + inMs);
  const isSooner = change.dueAt === null || at < new Date(change.dueAt);
  return isSooner ? { ...change, dueAt: at.toISOString() } : change;
}

/** A step that its worker abandons in its body is treated as after a lost worker. */
async function leave(claim: HeldClaim, row: HeldStep): Promise<void> {
  const options = { effect: row.effect, ...compensationOptions(declaredBefore(row)) };
  const state = new StepState(planStep(row.name, row.kind, options, DEFAULT_RETRY), claim);
  const unknown = await resumeStep(claim, state, row);
  if (!unknown) await claim.keep({ step: state.row("waiting", { next: { inMs: 0 } }) });
}

const WAITS_FOR: Record<StepKind, WaitKind> = {
  step: "retry",
  transaction: "retry",
  sleep: "timer",
  event: "event",
  approval: "approval",
  child: "child",
  cancel: "retry",
  send: "retry",
  publish: "retry",
};

function waitOf(name: string, row: HeldStep | undefined): [string, Wait] | undefined {
  if (!row || row.nextKeyGeneration !== null) return undefined;
  if (row.status === "unknown") return [name, { kind: "operator", dueAt: null, dueInMs: null }];
  if (row.status !== "waiting") return undefined;
  return [name, { kind: WAITS_FOR[row.kind], dueAt: row.dueAt, dueInMs: row.dueInMs }];
}

async function complete(claim: HeldClaim, given: unknown): Promise<void> {
  const what = `output of workflow "${claim.run.workflow}"`;
  const output = encodeGiven(given, what);
  await claim.keep({ run: { to: "completed", output, mayBeInDoubt: true } });
}

export async function fail(claim: HeldClaim, error: string, failedStep: string | null): Promise<void> {
  const { tx, run } = claim;
  const definition = await selectRemoteDefinition(tx, run.workflow, run.version);
  if (definition?.onFailure === "compensate")
    await failAndCompensate(tx, { runId: run.id, epoch: run.epoch, error, failedStep });
  else await claim.keep({ run: { to: "failed", error, failedStep, attention: "failed" } });
}

function failedStepOf(claim: HeldClaim, { failedStep }: Extract<End, { outcome: "failed" }>): string | null {
  return failedStep !== undefined && claim.latestRow(failedStep)?.status === "failed" ? failedStep : null;
}

const endedAs = ({ status, parentRunId }: HeldRun): Ended => ({ status, parentRunId });

const after = async ({ tx, run }: HeldClaim): Promise<Ended> => endedAs((await holdRun(tx, run.id)) as HeldRun);

/** After the commit, and also for a repeated answer: its own note may have been lost with its process. */
async function tellOthers({ db, notifier }: Desk, runId: string, ended: Ended): Promise<Ended> {
  // It has ended, or waits, perhaps for a person.
  if (ended.status !== "pending" && ended.status !== "running") notifier.changeAtOnce([runId]);
  if (ended.parentRunId !== null && hasEnded(ended.status))
    notifier.change(await wakeParents(db, [ended.parentRunId]).catch(() => []));
  notifier.work();
  return ended;
}
