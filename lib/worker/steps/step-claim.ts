import type { CodecOptions } from "../../engine/values/codec";
import type { BlobPlace } from "../../store/blobs/announce";
import type { Receipt } from "../../store/steps/record";
import type { ClaimRecord } from "../../store/workers/claim-record";
import type { ClaimedRun, ClaimedStep } from "../../store/workers/claim-runs";
import type { StopReason } from "../passes/stop-reason";

/**
 * What a step's rules and records need of their claim: a claim of this process, or one that a process in another
 * language holds over HTTP.
 */
export interface StepClaim {
  readonly run: Pick<ClaimedRun, "id" | "epoch" | "generation">;
  readonly workerId: number;
  /** The latest row of a step, including a superseded one. */
  latestRow(name: string): ClaimedStep | undefined;
  nextPosition(): number;
  /** For an outcome that is about to be recorded. */
  nextFinishedPosition(): number;
  readonly order: { turn(position: number): Promise<void> | undefined; drop(position: number): void };
  /** Set when a step is recorded as unknown, or waits after an attempt that may have had its effect. */
  leftDoubt: boolean;
  /** How large values may be. */
  readonly bounds: CodecOptions;
  /** Why its pass is to end. */
  readonly stopReason: StopReason | undefined;
  /**
   * What stands in a row for a value. The blob store is called again until the pass is to end, or so many times.
   * @throws HandrailError `blob_unavailable`
   */
  stored(place: BlobPlace, text: string, tries?: number): string | Promise<string>;
  /** Goes with the next record; the returned function withdraws it. Absent over HTTP, where no value is stored elsewhere. */
  mention?(given: Omit<ClaimRecord, "runId" | "epoch">): () => void;
  /** @throws when the run has another owner */
  keep(given: Omit<ClaimRecord, "runId" | "epoch">): Promise<Receipt>;
}
