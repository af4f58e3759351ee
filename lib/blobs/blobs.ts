import { randomUUID } from "node:crypto";
import { sha256 } from "../engine/digest";
import { openBytes, proofOf, sealBytes } from "../engine/privacy/sealed";
import { blobRef, blobText, blobUnavailable, isBlob } from "../engine/values/blob";
import type { BlobStore } from "../engine/values/blob-store";
import { MAX_BLOB_BYTES } from "../engine/values/bounds";
import type { CodecOptions } from "../engine/values/codec";
import { isLarge } from "../engine/values/is-large";
import { announceBlob, type BlobPlace, type NewBlob } from "../store/blobs/announce";
import { noteBlobWait } from "../store/blobs/blob-waits";
import { backoffMs, sleep } from "../store/database/backoff";
import { type Db, isRefusal } from "../store/db";
import { payloadKeys } from "../store/payloads";
import { bounded, lanesOf, NoAnswer } from "./bounded";

/** Calls of the store at once, each with up to 64 MiB in memory. */
const LANES = 4;
const TRIES_TO_READ = 3;
const LONGEST_ERROR = 500;

interface BlobSettings {
  /** Of one call of the store. Default 30 s. */
  timeoutMs?: number;
  /** For tests: what happens between the steps of a write. */
  at?(point: "blob:announced" | "blob:put", detail: string): void | Promise<void>;
  /** Called for puts that fail again and again: the first time, and each tenth. */
  onTrouble?(about: { runId: string; value: string; error: string; failures: number }): void;
}

/** How long a value is waited for. */
export interface Patience {
  /** After the nth failure in a row, from 1: whether the store is to be called again. */
  goesOn(failures: number): boolean;
  /** The run that waits for it: since when is kept. Default: nobody does. */
  waiter?: string;
  /** Calls back when the value is waited for no longer; returns what ends that. Default: never. */
  onAbandon?(abandon: (error: Error) => void): () => void;
}

/** What a value is written for. */
export type Written = Pick<NewBlob, "place" | "writer"> & Patience;

/** Patience of who waits for nothing else meanwhile. */
export const UNTIL_THIRD_TRY: Patience = { goesOn: (failures) => failures < TRIES_TO_READ };

/*
 * Puts large values into the app's blob store and reads them. Without a store, it takes no value over 1 MiB, and reads none
 * that is elsewhere.
 */
export class Blobs {
  private readonly timeoutMs: number;
  private readonly at: NonNullable<BlobSettings["at"]>;
  private readonly onTrouble: NonNullable<BlobSettings["onTrouble"]>;
  private readonly lanes = lanesOf(LANES);
  /** Calls on end that the store has left without an answer. From as many as there are lanes on, it hangs. */
  private unanswered = 0;
  /** While it hangs, one read at a time asks whether it answers again. */
  private probing = false;
  private readonly readsInLine = new Set<(error: Error) => void>();

  constructor(
    private readonly db: Db,
    private readonly store: BlobStore | undefined,
    { timeoutMs = 30_000, at = () => undefined, onTrouble = () => undefined }: BlobSettings = {},
  ) {
    this.timeoutMs = timeoutMs;
    this.at = at;
    this.onTrouble = onTrouble;
  }

  /** Whether this process has a store. */
  get isOpen(): boolean {
    return this.store !== undefined;
  }

  /** How large values may be. */
  get bounds(): CodecOptions {
    return this.store ? { maxBytes: MAX_BLOB_BYTES } : {};
  }

  /**
   * The text to keep in a value's place: itself, or a reference to it once it is in the store.
   * @throws HandrailError `blob_unavailable`
   */
  stored(text: string, written: Written): string | Promise<string> {
    return this.store && isLarge(text) ? this.put(this.store, text, written) : text;
  }

  /** A stored text with the value itself. @throws HandrailError `blob_unavailable`, `payload_locked` */
  loaded(place: BlobPlace, text: string, patience = UNTIL_THIRD_TRY): string | Promise<string> {
    return isBlob(text) ? this.read(place, text, patience) : text;
  }

  /** Of keys that nothing refers to. @throws what the store throws, or what it was abandoned with */
  async delete(keys: readonly string[], onAbandon?: Patience["onAbandon"]): Promise<void> {
    const { store } = this;
    if (store) await bounded(this.timeoutMs, (signal) => store.delete(keys, signal), onAbandon);
  }

  private async put(store: BlobStore, text: string, { place, writer, ...patience }: Written): Promise<string> {
    const keys = payloadKeys();
    const bytes = keys ? sealBytes(keys, place, text) : Buffer.from(text);
    const about = { place, writer, size: Buffer.byteLength(text), sealedWith: keys?.current.id ?? null };
    let key = newKey(place);
    for (let failures = 0, error: string | null = null; ; ) {
      try {
        if (await announceBlob(this.db, { ...about, key, error })) {
          await this.at("blob:announced", placeName(place));
          await this.call(patience, (signal) => store.put(key, bytes, signal));
          await this.at("blob:put", placeName(place));
          return blobText({
            ...{ key, size: about.size, sha256: sha256(bytes) },
            ...(keys && { proof: proofOf(keys, place, text) }),
          });
        }
        key = newKey(place);
      } catch (thrown) {
        if (isRefusal(thrown)) throw thrown;
        error = textOf(thrown);
        if (++failures % 10 === 1) this.onTrouble({ runId: place[0], value: placeName(place), error, failures });
        await this.note(patience, error);
        if (!patience.goesOn(failures)) throw unavailable(place, "could not be put into the blob store", error, thrown);
        await sleep(backoffMs(failures));
      }
    }
  }

  private async read(place: BlobPlace, text: string, patience: Patience): Promise<string> {
    const { key, sha256: expected } = blobRef(text);
    for (let failures = 1; ; failures++) {
      const { bytes, why, thrown } = await this.get(key, expected, patience);
      if (bytes) return openBytes(payloadKeys(), place, Buffer.from(bytes));
      // A store that hangs takes its time for each try: what waits for the value waits elsewhere, and its reason is known.
      if (this.store && !(thrown instanceof NoAnswer) && patience.goesOn(failures)) {
        await sleep(backoffMs(failures + 1));
        continue;
      }
      const times = await this.note(patience, why);
      throw unavailable(place, "could not be read from the blob store", why, thrown, times);
    }
  }

  private async get(
    key: string,
    expected: string,
    patience: Patience,
  ): Promise<{ bytes?: Uint8Array; why: string; thrown?: unknown }> {
    const { store } = this;
    if (!store) return { why: "this process has none: give `blobs` to createHandrail or handrail.config.ts." };
    try {
      const bytes = await this.readInTurn(patience, (signal) => store.get(key, signal));
      if (!bytes) return { why: `nothing is there under the key ${key}.` };
      if (sha256(bytes) !== expected) return { why: `other bytes are there under the key ${key} than were put.` };
      return { bytes, why: "" };
    } catch (thrown) {
      return { why: textOf(thrown), thrown };
    }
  }

  /** What nobody waits for any more is not called, once its turn comes. */
  private call<Result>(patience: Patience, call: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    return this.lanes(() => this.ask(patience, call));
  }

  /**
   * While the store hangs, reads fail at once, those in line as well, but for one that asks it: each would have its worker's slot for as
   * long. A put waits for its turn, and is called as often as its writer was promised.
   */
  private readInTurn<Result>(patience: Patience, call: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    if (this.hangs && this.probing) throw this.hanging();
    return new Promise<Result>((done, fail) => {
      this.readsInLine.add(fail);
      const inTurn = this.lanes(async () => {
        // Otherwise it has failed in line.
        if (this.readsInLine.delete(fail)) await this.probed(patience, call).then(done);
      });
      inTurn.catch(fail);
    });
  }

  private async probed<Result>(patience: Patience, call: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const isProbe = this.hangs;
    if (isProbe && this.probing) throw this.hanging();
    this.probing ||= isProbe;
    try {
      return await this.ask(patience, call);
    } finally {
      if (isProbe) this.probing = false;
    }
  }

  private get hangs(): boolean {
    return this.unanswered >= LANES;
  }

  private hanging(): NoAnswer {
    return new NoAnswer(`It has answered none of the last ${this.unanswered} calls.`);
  }

  private failReadsInLine(): void {
    for (const fail of this.readsInLine) fail(this.hanging());
    this.readsInLine.clear();
  }

  private async ask<Result>(patience: Patience, call: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    if (!patience.goesOn(0)) throw new Error("It was not asked: nobody waits for it any more.");
    try {
      const result = await bounded(this.timeoutMs, call, patience.onAbandon);
      this.unanswered = 0;
      return result;
    } catch (error) {
      if (error instanceof NoAnswer) {
        this.unanswered++;
        if (this.hangs) this.failReadsInLine();
      }
      // A refusal is an answer; what nobody waits for any more had none yet.
      else if (patience.goesOn(0)) this.unanswered = 0;
      throw error;
    }
  }

  /** That nobody waits any more is no failure of the store. */
  private async note({ waiter, goesOn }: Patience, why: string): Promise<number> {
    return waiter === undefined || !goesOn(0) ? 1 : noteBlobWait(this.db, waiter, why).catch(() => 1);
  }
}

const newKey = ([runId]: BlobPlace) => `${runId}/${randomUUID()}`;
const placeName = ([, part, name]: BlobPlace) => name ?? part;

const textOf = (thrown: unknown) =>
  String((thrown as Error)?.message ?? thrown)
    .slice(0, LONGEST_ERROR)
    .replaceAll("\0", "\ufffd")
    .toWellFormed();

function unavailable([runId, part, name]: BlobPlace, what: string, why: string, thrown: unknown, failures = 1) {
  const of = part === "step" ? `output of step "${name}"` : part;
  return blobUnavailable(
    `The ${of} of run ${runId} ${what}: ${why}`,
    { runId, part, ...(name !== undefined && { step: name }), failures },
    thrown,
  );
}
