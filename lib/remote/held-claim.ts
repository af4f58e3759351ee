import { sha256 } from "../engine/digest";
import { HandrailError } from "../engine/errors";
import { answeredOnce } from "../operator/answered-once";
import type { Desk } from "../operator/desk";
import type { Db } from "../store/db";
import { lockEventKeys } from "../store/events/take-events";
import { type Receipt, recordAlone } from "../store/steps/record";
import type { ClaimRecord } from "../store/workers/claim-record";
import { type HeldRun, type HeldStep, type HeldSteps, holdRun, readHeldSteps } from "../store/workers/hold-run";
import type { StepClaim } from "../worker/steps/step-claim";
import { credentialOf, provesClaim } from "./claim-proof";
import { claimLost } from "./refusals";

/** The claim of a run that a request is about. */
export interface ClaimOf {
  runId: string;
  epoch: number;
  /** Issued with the claim; null when the request came without it. */
  secret: string | null;
}

/**
 * A claim that an outside process holds, for the one transaction that answers it: the run's row is locked, its epoch
 * was compared under that lock, and the engine's own rules read and write through it. Nothing of it outlives the
 * transaction.
 */
export class HeldClaim implements StepClaim {
  readonly workerId: number;
  /** The lock orders everything here: there is no other order to keep. */
  readonly order = { turn: () => undefined, drop: () => undefined };
  readonly bounds = {};
  readonly stopReason = undefined;
  leftDoubt: boolean;
  private position: number;
  private finishedPosition: number;

  constructor(
    readonly tx: Db,
    readonly run: HeldRun & { workerId: number },
    readonly held: HeldSteps,
  ) {
    this.workerId = run.workerId;
    this.leftDoubt = held.inDoubt;
    this.position = held.lastPosition;
    this.finishedPosition = held.lastFinishedPosition;
  }

  latestRow(name: string): HeldStep | undefined {
    return this.held.steps.find((step) => step.name === name);
  }

  nextPosition(): number {
    return ++this.position;
  }

  nextFinishedPosition(): number {
    return ++this.finishedPosition;
  }

  /** A process in another language gives values of up to 1 MiB. */
  stored(_place: unknown, text: string): string {
    return text;
  }

  async keep(given: Omit<ClaimRecord, "runId" | "epoch">): Promise<Receipt> {
    const { id: runId, epoch } = this.run;
    const receipt = (await recordAlone(this.tx, [{ ...given, runId, epoch }])).get(runId);
    if (!receipt) throw claimLost(runId);
    return receipt;
  }
}

/** @throws HandrailError `not_allowed` for a run that is being compensated: its code has ended */
export function refuseUnlessRunning({ status }: HeldRun): void {
  if (status !== "running")
    throw new HandrailError("not_allowed", "The run is being compensated: ask for its compensations, or hand it back.");
}

/** The data to read under the lock. */
interface Looking<Body> {
  /** Names of steps whose latest rows are read. */
  steps: readonly string[];
  /** Also steps in progress. Default false. */
  running?: boolean;
  /** Locked before the run: the lock order requires it. */
  eventKeys?: readonly { event: string; key: string | null }[];
  /**
   * The answer to repeat for the owner that ended this claim before and lost the answer; undefined: refused like any
   * other.
   */
  ended?: (run: HeldRun) => Body | undefined;
}

/**
 * One answer to the owner of a claim: one transaction, which begins with the fence.
 * @throws HandrailError `claim_lost`, also for a run that does not exist: a caller without the claim learns nothing of
 * it
 */
export async function underClaim<Body>(
  desk: Desk,
  { runId, epoch, secret }: ClaimOf,
  looking: Looking<Body>,
  answer: (claim: HeldClaim) => Promise<Body>,
): Promise<Body> {
  const inTransaction = async (tx: Db): Promise<Body> => {
    await lockEventKeys(tx, looking.eventKeys ?? []);
    const run = await holdRun(tx, runId);
    if (!run || !provesClaim(run, epoch, credentialOf(desk.by), secret)) throw claimLost(runId);
    const before = isOwned(run) ? undefined : looking.ended?.(run);
    if (before !== undefined) return before;
    if (!isOwned(run)) throw claimLost(runId);
    return answer(new HeldClaim(tx, run, await readHeldSteps(tx, run, looking.steps, looking)));
  };
  const { body } = await desk.db.transaction((tx) =>
    answeredOnce<Body>(tx, withSecret(desk.request, secret), async () => ({
      status: 200,
      body: await inTransaction(tx),
    })),
  );
  desk.notifier.change([runId]);
  return body;
}

/** A repeated answer requires the secret, too. */
const withSecret = (request: Desk["request"], secret: string | null): Desk["request"] =>
  request && secret !== null ? { ...request, fingerprint: sha256(`${request.fingerprint}\n${secret}`) } : request;

const isOwned = (run: HeldRun): run is HeldRun & { workerId: number } => run.workerId !== null;
