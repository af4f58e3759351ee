import type { Blobs, Patience } from "../../blobs/blobs";
import { HandrailError } from "../../engine/errors";
import { isPayloadLocked } from "../../engine/privacy/sealed";
import { type CaptureLogs, isCaptured, knownLevel } from "../../engine/runs/log";
import { traceparentOf } from "../../engine/traces/trace-context";
import { isBlob, isBlobUnavailable } from "../../engine/values/blob";
import type { CodecOptions } from "../../engine/values/codec";
import { isLarge } from "../../engine/values/is-large";
import type { Middleware } from "../../engine/workflows/middleware";
import type { StepBody } from "../../engine/workflows/step-options";
import type { BlobPlace } from "../../store/blobs/announce";
import { backoffMs, sleep } from "../../store/database/backoff";
import { type Db, isRefusal } from "../../store/db";
import type { Receipt } from "../../store/steps/record";
import type { ClaimRecord, RunChange } from "../../store/workers/claim-record";
import type { ClaimedRun, ClaimedStep } from "../../store/workers/claim-runs";
import { holdsRun } from "../../store/workers/fence";
import type { ClaimTrace } from "../../traces/claim-trace";
import { type Context, runTraceId } from "../../traces/tracing";
import type { OutcomeOrder } from "../passes/outcome-order";
import { never } from "../passes/promises";
import type { Rest } from "../passes/rest";
import { RunNotes } from "../passes/run-notes";
import type { StopReason } from "../passes/stop-reason";
import type { WriteBuffer } from "../records/write-buffer";
import { isKept } from "../steps/kept-step";
import type { StepClaim } from "../steps/step-claim";
import { ClaimLost } from "./claim-lost";
import type { ClaimEnd, Tally } from "./tally";

/** A run that waits for the blob store keeps no worker. */
const TRIES_TO_READ = 3;

/*
 * The claim of this process on one run: writes the run's records under the fence, repeats statements until Postgres
 * answers them, and says whether the run is still owned. It stops the pass once it is not, and when a receipt brings
 * the request of a person.
 */
export class Claim implements StepClaim {
  readonly order: OutcomeOrder;
  /** Set when a step of this claim is recorded as unknown, or waits after an attempt that may have had its effect. */
  leftDoubt = false;
  /** Set when the claim has left the run waiting for a person. */
  needsAttention = false;
  /** Its spans; undefined while tracing is off, and where the run's trace is not sampled. */
  trace: ClaimTrace | undefined;
  /** What the code between steps runs in; undefined while tracing is off. */
  root: Context | undefined;
  /** What code of its bodies logs elsewhere and is kept with the run; false: nothing. */
  captures: CaptureLogs | false = false;
  /** The app's code around bodies. */
  middleware: readonly Middleware[] = [];
  /** Of large values; undefined: what is over 1 MiB is refused. */
  blobs: Blobs | undefined;
  private noted: RunNotes | undefined;
  private readonly latest = new Map<string, ClaimedStep>();
  private position = 0;
  private finishedPosition = 0;

  constructor(
    readonly run: ClaimedRun,
    readonly workerId: number,
    private readonly rest: Rest,
    private readonly buffer: WriteBuffer,
    private readonly checkLease: () => void,
  ) {
    this.order = rest.order;
    for (const step of run.steps) {
      this.latest.set(step.name, step);
      this.position = Math.max(this.position, step.position);
      this.finishedPosition = Math.max(this.finishedPosition, step.finishedPosition ?? 0);
    }
  }

  get tally(): Tally {
    return this.buffer.tally;
  }

  latestRow(name: string): ClaimedStep | undefined {
    return this.latest.get(name);
  }

  /** Of the run's start, for bodies while tracing is off here. */
  get traceparent(): string | undefined {
    return this.run.trace === null ? undefined : traceparentOf(this.run.trace);
  }

  nextPosition(): number {
    return ++this.position;
  }

  nextFinishedPosition(): number {
    this.order.expect(++this.finishedPosition);
    return this.finishedPosition;
  }

  /** Whether the outcome of some step of the run may be unknown, or is if the run ends now. */
  get mayBeInDoubt(): boolean {
    return this.leftDoubt || this.run.steps.some(isOpenDoubt);
  }

  /** @throws ClaimLost when the run has another owner; the pass is over then */
  keep(given: Omit<ClaimRecord, "runId" | "epoch">): Promise<Receipt> {
    if (this.rest.isOver) return never();
    return this.buffer.keep(this.claimed(given, this.noted?.takeLines())).then(
      (receipt) => {
        this.follow(receipt);
        return receipt;
      },
      (error) => {
        throw error instanceof ClaimLost ? this.lost() : error;
      },
    );
  }

  /** A record without a waiter. The returned function withdraws it while it is unsent. */
  mention(given: Omit<ClaimRecord, "runId" | "epoch">): () => void {
    return this.buffer.mention(this.claimed(given));
  }

  /** Requests that people made for the run meanwhile. */
  follow({ asked }: Receipt): void {
    if (asked === "cancel") this.rest.stop("cancelled");
    else if (asked === "pause") this.rest.comeToRest();
  }

  /** The last record of the claim. A lost claim writes nothing. */
  endClaim(run: RunChange): Promise<ClaimEnd> {
    this.needsAttention = run.to === "waiting" && run.attention !== null;
    const trace = this.trace && { trace: this.trace.text };
    return this.buffer.keep(this.claimed({ run, ...this.noted?.take(), ...trace })).then(() => run.to, unlessLost);
  }

  /** The code's log lines and progress. Created on first use: most code has none. */
  get notes(): RunNotes {
    this.noted ??= new RunNotes(
      {
        epoch: this.run.epoch,
        heard: this.order,
        keptUntil: Math.max(0, ...this.run.steps.filter(isKept).map((step) => step.finishedPosition)),
        isWorking: () => this.rest.isWorking,
        traceId: runTraceId(this.run),
      },
      (notes) => this.mention(notes),
    );
    return this.noted;
  }

  /** What takes the lines that a body logs elsewhere; undefined: nothing does. */
  capturing(log: StepBody["log"]): StepBody["log"] | undefined {
    const { captures } = this;
    return captures
      ? (message, data, level) => isCaptured(captures, knownLevel(level)) && log(message, data, level)
      : undefined;
  }

  get bounds(): CodecOptions {
    return this.blobs?.bounds ?? {};
  }

  get stopReason(): StopReason | undefined {
    return this.rest.stopReason;
  }

  stored(place: BlobPlace, text: string, tries = Number.POSITIVE_INFINITY): string | Promise<string> {
    if (!this.blobs || !isLarge(text)) return text;
    const { id: runId, epoch } = this.run;
    return this.blobs.stored(text, { place, writer: { runId, epoch }, ...this.patience(tries) });
  }

  /** A stored value, for the engine. @throws HandrailError `blob_unavailable`, `payload_locked` */
  read(place: BlobPlace, text: string): string | Promise<string> {
    return this.blobs && isBlob(text) ? this.blobs.loaded(place, text, this.patience(TRIES_TO_READ)) : text;
  }

  private patience(tries: number): Patience {
    const { bodies } = this.rest;
    return {
      waiter: this.run.id,
      goesOn: (failures) => failures < tries && !this.rest.isLost && !bodies.because,
      onAbandon: (abandon) => bodies.onAbandon(abandon),
    };
  }

  /**
   * A stored value. Where it cannot be read now, the pass ends: the author's code must not see that.
   * @param step that waits for it, where the value is another run's
   */
  loaded(place: BlobPlace, text: string, step?: string): string | Promise<string> {
    const loading = this.read(place, text);
    if (typeof loading === "string") return loading;
    return loading.catch((error: unknown) => this.leaveToLater(error, step));
  }

  /** The pass ends, if the value is only out of reach now. @throws ClaimLost; any other error */
  leaveToLater(error: unknown, step?: string): never {
    if (!isLeftToLater(error)) throw error;
    this.order.abandon();
    this.rest.stop("locked", step === undefined ? error : about(step, error));
    throw new ClaimLost(this.run.id);
  }

  /** Before a statement beside the buffer that ends the claim: nothing can be recorded after it. */
  async keepNotes(keep = (notes: ClaimRecord): Promise<unknown> => this.buffer.keep(notes)): Promise<void> {
    const notes = this.noted?.take();
    if (notes) await keep(this.claimed(notes)).catch(unlessLost);
  }

  private claimed(given: Omit<ClaimRecord, "runId" | "epoch">, logs?: ClaimRecord["logs"]): ClaimRecord {
    const { id: runId, epoch } = this.run;
    return logs ? { ...given, runId, epoch, logs } : { ...given, runId, epoch };
  }

  /**
   * For statements beside the buffer: repeated until Postgres answers. @throws what Postgres refused; ClaimLost
   */
  async retrying<Result>(statement: () => Promise<Result>): Promise<Result> {
    for (let failures = 0; ; failures++) {
      try {
        return await statement();
      } catch (error) {
        if (error instanceof ClaimLost) throw this.lost();
        if (isRefusal(error) || isLeftToLater(error)) throw error;
        if (this.rest.isLost) throw new ClaimLost(this.run.id);
        await sleep(backoffMs(failures));
      }
    }
  }

  /**
   * After a failure of the database: resolves when it accepts writes again, and a transaction of this claim with an
   * unknown end has ended, since that one holds the run's row. @throws ClaimLost
   */
  async untilUsable(db: Db): Promise<void> {
    const { id, epoch } = this.run;
    if (!(await this.retrying(() => holdsRun(db, id, epoch)))) throw this.lost();
  }

  /**
   * Before a body: a process that was stopped past its lease resumes unaware of it, and another worker may have called
   * the provider meanwhile, or a person may have said that it did not happen.
   * @throws ClaimLost
   */
  assertOwned(): void {
    this.checkLease();
    if (this.rest.isLost) throw new ClaimLost(this.run.id);
  }

  /** The run has another owner: the pass ends, and writes nothing more. */
  lost(): ClaimLost {
    this.rest.stop("lost");
    return new ClaimLost(this.run.id);
  }
}

/** The run has not failed: a worker with the key goes on with it, or one that reaches the blob store. */
export const isLeftToLater = (error: unknown): error is HandrailError =>
  isPayloadLocked(error) || isBlobUnavailable(error);

const about = (step: string, { code, message, details, cause }: HandrailError) =>
  new HandrailError(code, message, { ...(details as object), step }, { cause });

const isOpenDoubt = ({ status, doubt }: ClaimedStep) =>
  status === "unknown" || status === "running" || (status === "waiting" && doubt !== null);

function unlessLost(error: unknown): "lost" {
  if (error instanceof ClaimLost) return "lost";
  throw error;
}
