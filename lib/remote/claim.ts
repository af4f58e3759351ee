import type { Caller } from "../engine/audit/audit";
import { HandrailError } from "../engine/errors";
import { isPayloadLocked } from "../engine/privacy/sealed";
import { startExpired } from "../engine/runs/run-deadline";
import { checkInput } from "../engine/runs/start";
import { traceHeaders } from "../engine/traces/trace-context";
import { isBlob } from "../engine/values/blob";
import { decodeValue, encodeValue } from "../engine/values/codec";
import type { Workflow } from "../engine/workflows/workflow";
import { codeFor } from "../engine/workflows/workflow-versions";
import { answerAgain, answeredOnce } from "../operator/answered-once";
import type { ChangeFeed } from "../operator/changes/change-feed";
import { LongPoll, type Waiting } from "../operator/changes/long-poll";
import type { Desk } from "../operator/desk";
import { asInstant, asJson } from "../operator/values";
import type { Db } from "../store/db";
import { selectAnswer } from "../store/operations/request";
import { openedRun } from "../store/payloads";
import { keepRunTitle } from "../store/runs/keep-run-title";
import type { ClaimedRun } from "../store/workers/claim-runs";
import { leaveToOthers } from "../store/workers/hand-back";
import { type HeldRun, holdRun, readHeldSteps } from "../store/workers/hold-run";
import { keepClaimProofs } from "../store/workers/remote-workers";
import { changeVersion } from "../store/workflows/versions";
import { Claimer } from "../worker/claims/claimer";
import { lateTitle } from "../worker/claims/title-run";
import { isToTakeKey, takeKey } from "../worker/passes/hold-singleton";
import { errorText } from "../worker/steps/error-text";
import { againOnDeadlock } from "../worker/transactions/conflicts";
import { claimProof, credentialOf, newClaimSecret } from "./claim-proof";
import { toBeClaimed, withInputCheck } from "./definition";
import { fail, letGo } from "./end-claim";
import { HeldClaim } from "./held-claim";
import { giveTurnsTo, livingWorker } from "./worker";

/** Polling interval without a note or a timer: polling is authoritative, notes only accelerate it. */
const POLL_MS = 1_000;
/**
 * The first note is followed at once. Notes are about every workflow: after later ones, a claim is tried at this
 * interval.
 */
const MIN_PAUSE_MS = 50;
/** The same while lost runs wait for their turn. */
const LOOK_AT_TURNS_MS = 100;
/** Rounds of a claim that finds more to do at once: one moves due runs into their queues, the next one opens these. */
const ROUNDS_AT_ONCE = 3;

interface Claiming extends Waiting {
  limit: number;
  /** Of `FittingVersions`, in milliseconds. */
  versionWaitMs: number;
}

type Room = Pick<Claiming, "limit" | "versionWaitMs">;

/** A run as its new owner receives it. */
type HandedRun = Awaited<ReturnType<typeof handOver>>;

/**
 * Claims runs of the workflows that the worker registered, waiting for one if there is none. With an Idempotency-Key, a
 * claim whose answer was lost returns the same runs again.
 * @throws HandrailError `unknown_worker`, `lease_ended`, or `too_busy` when too many wait already
 */
export async function claimFor(desk: Desk, feed: ChangeFeed, workerId: number, claiming: Claiming) {
  const { limit, versionWaitMs, ...waiting } = claiming;
  const before = await claimedBefore(desk, workerId);
  if (before) return { runs: before };
  const first = await claimNow(desk, workerId, { limit, versionWaitMs });
  if (first.runs.length > 0 || waiting.waitMs === 0) return { runs: first.runs };
  const poll = new LongPoll(feed, waiting);
  try {
    // A run may have become claimable between the first claim and the listening.
    for (let pauseMs = 0; ; pauseMs = MIN_PAUSE_MS) {
      const { runs, nextDueInMs } = await claimNow(desk, workerId, { limit, versionWaitMs });
      if (runs.length > 0) return { runs };
      await new Promise((resume) => setTimeout(resume, pauseMs));
      if (!(await poll.again(Math.min(POLL_MS, Math.max(0, nextDueInMs ?? POLL_MS))))) return { runs: [] };
    }
  } finally {
    poll.end();
  }
}

/**
 * The claims of an earlier attempt of this request. @throws HandrailError `idempotency_conflict`, or as `livingWorker`
 */
async function claimedBefore({ db, by, request }: Desk, workerId: number): Promise<HandedRun[] | undefined> {
  const earlier = request && (await selectAnswer(db, request));
  if (!earlier) return undefined;
  await livingWorker(db, by, workerId);
  return (await answerAgain<HandedRun[]>(earlier, request)).body;
}

interface RemoteClaim {
  runs: HandedRun[];
  nextDueInMs: number | null;
}

/** For workers over HTTP, only this gives lost runs their turn. */
async function claimNow(desk: Desk, workerId: number, room: Room): Promise<RemoteClaim> {
  const waiting = await giveTurnsTo(desk);
  const { runs, nextDueInMs } = await claimInRounds(desk, workerId, room);
  return { runs, nextDueInMs: waiting ? Math.min(nextDueInMs ?? POLL_MS, LOOK_AT_TURNS_MS) : nextDueInMs };
}

/** A round that moves runs into their queues claims none of them: the next one does. */
async function claimInRounds(desk: Desk, workerId: number, room: Room): Promise<RemoteClaim> {
  for (let round = 1; ; round++) {
    // Two claims that take the same singleton keys in opposite order: Postgres ends one of them, which has taken nothing.
    const claim = await againOnDeadlock(() => claimOnce(desk, workerId, room));
    const isOver = claim.runs.length > 0 || claim.nextDueInMs === null || claim.nextDueInMs > 0;
    if (isOver || round === ROUNDS_AT_ONCE) return claim;
  }
}

/** Ends the transaction: the same request has been answered meanwhile, and the claimed runs are released. */
class GoesBack extends Error {
  constructor(readonly answered: HandedRun[]) {
    super("The claim goes back.");
  }
}

/*
 * A claim that takes nothing is committed, too: it has moved runs into their queues and closed full queues, and the
 * next claim continues from there. The key is taken last, and only by a claim that took something.
 */
async function claimOnce(desk: Desk, workerId: number, room: Room): Promise<RemoteClaim> {
  const ended: string[] = [];
  try {
    const claim = await desk.db.transaction(async (tx) => {
      const taken = await claimIn(tx, desk, workerId, room, ended);
      if (taken.runs.length === 0) return taken;
      const { body } = await answeredOnce(tx, desk.request, async () => ({ status: 200, body: taken.runs }));
      if (body !== taken.runs) throw new GoesBack(body);
      return taken;
    });
    desk.notifier.change(claim.runs.map(({ id }) => id));
    desk.notifier.changeAtOnce(ended);
    return claim;
  } catch (error) {
    if (error instanceof GoesBack) return { runs: error.answered, nextDueInMs: null };
    throw error;
  }
}

/** @param ended collects the ids of runs that end before they begin */
async function claimIn(
  tx: Db,
  { by }: Desk,
  workerId: number,
  { limit, versionWaitMs }: Room,
  ended: string[],
): Promise<RemoteClaim> {
  const workflows = (await livingWorker(tx, by, workerId)).workflows.map(toBeClaimed);
  // It lives for one claim: its turns are random, and the request's key covers lost answers.
  const claimer = new Claimer(tx, workerId, workflows, versionWaitMs, () => [], Math.random() < 0.5);
  const { runs, nextDueInMs } = await claimer.claim(limit);
  const handed: HandedRun[] = [];
  for (const claimed of runs) {
    const run = await openedOrLeft(tx, claimed);
    if (!run) continue;
    // The claim takes only runs that some available code fits.
    const code = codeFor(workflows, run) as Workflow;
    if (code.version !== (run.codeVersion ?? run.version)) await changeVersion(tx, run.id, run.epoch, code.version);
    const input = await inputToBegin(tx, run, code);
    if (input !== undefined) handed.push(handOver(run, code.version, input));
    else ended.push(run.id);
  }
  await keepProofs(tx, by, handed);
  return { runs: handed, nextDueInMs };
}

async function keepProofs(tx: Db, by: Caller, runs: readonly HandedRun[]): Promise<void> {
  const credential = credentialOf(by);
  const proofs = runs.map(({ id, epoch, secret }) => ({ id, epoch, proof: claimProof(epoch, credential, secret) }));
  if (proofs.length > 0) await keepClaimProofs(tx, proofs);
}

/** Undefined: the console lacks the key of its payloads, and has left it to others. */
async function openedOrLeft(tx: Db, run: ClaimedRun): Promise<ClaimedRun | undefined> {
  try {
    return openedRun(run);
  } catch (error) {
    if (!isPayloadLocked(error)) throw error;
    await leaveToOthers(tx, run.id, run.epoch);
    return undefined;
  }
}

/** Its input as JSON; undefined for a run that ends before it begins. */
async function inputToBegin(tx: Db, run: ClaimedRun, workflow: Workflow): Promise<string | undefined> {
  if (run.status === "compensating") return run.input;
  if (run.cancelRequested || (run.deadlineInMs !== null && run.deadlineInMs <= 0)) {
    await letGo(await held(tx, run.id), { waitsFor: [] });
    return undefined;
  }
  if (run.expired) {
    await (await held(tx, run.id)).keep({ run: { to: "cancelled", error: errorText(startExpired()) } });
    return undefined;
  }
  if (isBlob(run.input)) {
    await fail(await held(tx, run.id), errorText(inputElsewhere()), null);
    return undefined;
  }
  const takes = isToTakeKey(run, workflow);
  if (run.inputChecked && !takes) return run.input;
  try {
    const checked = withInputCheck(workflow);
    const value = decodeValue(run.input);
    const input = run.inputChecked ? value : await checkInput(checked, value);
    if (takes) await takeKey(tx, run, workflow, input);
    if (run.inputChecked) return run.input;
    const title = await lateTitle(run, checked);
    if (title !== null) await keepRunTitle(tx, run.id, run.epoch, title);
    return encodeValue(input);
  } catch (error) {
    if (!(error instanceof HandrailError)) throw error;
    await fail(await held(tx, run.id), errorText(error), null);
    return undefined;
  }
}

const inputElsewhere = () =>
  new HandrailError(
    "value_too_large",
    "The run's input is in the blob store, which workers over HTTP do not read. Start it with a smaller one.",
  );

async function held(tx: Db, runId: string): Promise<HeldClaim> {
  const run = (await holdRun(tx, runId)) as HeldRun & { workerId: number };
  return new HeldClaim(tx, run, await readHeldSteps(tx, run, []));
}

const handOver = (run: ClaimedRun, codeVersion: number, input: string) => ({
  id: run.id,
  epoch: run.epoch,
  secret: newClaimSecret(),
  status: run.status,
  workflow: run.workflow,
  version: run.version,
  codeVersion,
  generation: run.generation,
  input: asJson(input),
  tags: run.tags ?? {},
  headers: run.headers ?? {},
  createdAt: asInstant(run.createdAt),
  /** Until its own timeout; null without one. */
  endsInMs: run.deadlineInMs === null ? null : Math.max(0, Math.ceil(run.deadlineInMs)),
  ...traceHeaders(run.trace),
});
