import { backoffMs, sleep } from "../../store/database/backoff";
import type { Db } from "../../store/db";
import { isRefusal } from "../../store/db";
import { type Receipt, record, recordAlone } from "../../store/steps/record";
import { type StepToRecord, tryRecordStep } from "../../store/steps/record-step";
import type { ClaimRecord } from "../../store/workers/claim-record";
import { ClaimLost } from "../claims/claim-lost";
import { Tally } from "../claims/tally";
import { faultPoint } from "../fault-points";

/** Up to this many, one statement per record is faster than one with arrays. */
const FEW_RECORDS = 3;
/**
 * Enough to share a commit's cost; few enough that Postgres works on one flush while this process prepares the next.
 */
const MAX_RECORDS_PER_FLUSH = 160;
const MAX_BYTES_PER_FLUSH = 8_388_608;
/** Concurrent flushes: one commits while the answers of the other are processed. */
const LANES = 2;
/** A second flush is worth its commit from this many records on; fewer wait for the first one's end. */
const WORTH_A_LANE = 32;

/** Bounded, so that a run with thousands of records is not scanned by each flush. */
const MAX_LOOKED_AT = 2 * MAX_RECORDS_PER_FLUSH;

interface Entry {
  record: ClaimRecord;
  resolve: (receipt: Receipt) => void;
  reject: (error: unknown) => void;
}

/*
 * All records of the runs of this process pass through here. There is no timer: records that gather while one flush
 * commits go into the next, so a single record does not wait, and under load hundreds share a commit.
 * A promise of `keep` resolves only after its record's commit. When a flush fails, its commit is uncertain: it is sent
 * again until it is answered, which is harmless (see store/record.ts), or until `close` reports that the lease is gone.
 */
export class WriteBuffer {
  private waiting: Entry[] = [];
  private lanes = 0;
  /** Runs with a flush in flight. */
  private readonly underWay = new Set<string>();
  private closed = false;

  constructor(
    private readonly db: Db,
    private readonly onFlush: (runIds: Iterable<string>) => void = () => undefined,
    readonly tally: Tally = new Tally(),
  ) {}

  /** Records that no flush has taken yet. */
  get waitingRecords(): number {
    return this.waiting.length;
  }

  /** @throws ClaimLost when the claim's epoch is no longer the run's: then nothing was written */
  keep(given: ClaimRecord): Promise<Receipt> {
    return new Promise((resolve, reject) => {
      if (this.closed) return reject(new ClaimLost(given.runId));
      this.waiting.push({ record: given, resolve, reject });
      this.openLane();
    });
  }

  /**
   * A record without a waiter, such as the mark that a step has started. The returned function withdraws it while it is
   * unsent.
   */
  mention(given: ClaimRecord): () => void {
    const entry: Entry = { record: given, resolve: () => undefined, reject: () => undefined };
    if (!this.closed) this.waiting.push(entry);
    this.openLane();
    return () => {
      const index = this.waiting.indexOf(entry);
      if (index >= 0) this.waiting.splice(index, 1);
    };
  }

  /** The lease is gone: unsent records must not be sent. */
  close(): void {
    this.closed = true;
    for (const entry of this.waiting.splice(0)) entry.reject(new ClaimLost(entry.record.runId));
  }

  private openLane(): void {
    if (this.lanes === 0 || (this.lanes < LANES && this.waiting.length >= WORTH_A_LANE)) void this.flushWhileWaiting();
  }

  private async flushWhileWaiting(): Promise<void> {
    this.lanes++;
    // Batches the other records of this turn of the event loop.
    await Promise.resolve();
    for (let batch = this.takeBatch(); batch.length > 0; batch = this.takeBatch()) {
      for (const { record } of batch) this.underWay.add(record.runId);
      await this.flush(batch);
      for (const { record } of batch) this.underWay.delete(record.runId);
    }
    this.lanes--;
  }

  /** Without the runs of the flush in flight: it holds their rows, and their records would be left out of this one. */
  private takeBatch(): Entry[] {
    const batch: Entry[] = [];
    const left: Entry[] = [];
    let bytes = 0;
    let looked = 0;
    for (const entry of this.waiting) {
      if (looked === MAX_LOOKED_AT || batch.length === MAX_RECORDS_PER_FLUSH) break;
      if (this.underWay.has(entry.record.runId)) left.push(entry);
      else {
        bytes += bytesOf(entry.record);
        if (batch.length > 0 && bytes > MAX_BYTES_PER_FLUSH) break;
        batch.push(entry);
      }
      looked++;
    }
    this.waiting.splice(0, looked, ...left);
    return batch;
  }

  private async flush(batch: Entry[]): Promise<void> {
    for (let failures = 0; !this.closed; failures++) {
      try {
        await faultPoint("flush:before");
        const began = performance.now();
        const receipts = await this.send(batch.map((entry) => entry.record));
        this.tally.flushMs.add(performance.now() - began);
        this.tally.flushRecords.add(batch.length);
        await faultPoint("flush:after");
        return this.answer(batch, receipts);
      } catch (error) {
        // Postgres refused a record: find out which, so that it cannot fail the others.
        if (isRefusal(error)) return this.eachAlone(batch);
        this.tally.flushFailures++;
        await sleep(backoffMs(failures));
      }
    }
    for (const entry of batch) entry.reject(new ClaimLost(entry.record.runId));
  }

  private send(records: ClaimRecord[]): Promise<Map<string, Receipt>> {
    const steps = records.length <= FEW_RECORDS && areOfDifferentRuns(records) ? records.filter(isStepAlone) : [];
    return steps.length === records.length ? recordSingly(this.db, steps) : record(this.db, records);
  }

  private answer(batch: Entry[], receipts: Map<string, Receipt>): void {
    const skipped: Entry[] = [];
    for (const entry of batch) {
      const receipt = receipts.get(entry.record.runId);
      if (receipt) entry.resolve(receipt);
      else skipped.push(entry);
    }
    this.onFlush(receipts.keys());
    if (skipped.length > 0) this.eachAlone(skipped);
  }

  /** Beside the other flushes: each run waits for the holder of its row, and no other run waits with it. */
  private eachAlone(entries: Entry[]): void {
    const byRun = new Map<string, Entry[]>();
    for (const entry of entries) byRun.set(entry.record.runId, [...(byRun.get(entry.record.runId) ?? []), entry]);
    for (const ofRun of byRun.values()) void this.inOrder(ofRun);
  }

  private async inOrder(entries: Entry[]): Promise<void> {
    for (const entry of entries) await this.sendAlone(entry);
  }

  private async sendAlone(entry: Entry): Promise<void> {
    for (let failures = 0; !this.closed; failures++) {
      try {
        const receipt = (await recordAlone(this.db, [entry.record])).get(entry.record.runId);
        if (receipt) this.onFlush([entry.record.runId]);
        return receipt ? entry.resolve(receipt) : entry.reject(new ClaimLost(entry.record.runId));
      } catch (error) {
        if (isRefusal(error)) return entry.reject(error);
        await sleep(backoffMs(failures));
      }
    }
    entry.reject(new ClaimLost(entry.record.runId));
  }
}

function bytesOf({ step, run, child, logs }: ClaimRecord): number {
  let bytes =
    (step?.output?.length ?? 0) + (run && "output" in run ? (run.output?.length ?? 0) : 0) + (child?.input.length ?? 0);
  if (logs) for (const line of logs) bytes += line.message.length + (line.data?.length ?? 0);
  return bytes;
}

const isStepAlone = (given: ClaimRecord): given is StepToRecord =>
  given.step !== undefined && !given.attempt && !given.run && !given.child && !given.logs && !given.progress;

/** Of two simultaneous statements for one run, one would find its row locked by the other, and be left out. */
const areOfDifferentRuns = (records: readonly ClaimRecord[]): boolean =>
  new Set(records.map(({ runId }) => runId)).size === records.length;

async function recordSingly(db: Db, steps: StepToRecord[]): Promise<Map<string, Receipt>> {
  const receipts = new Map<string, Receipt>();
  const one = async (given: StepToRecord) => {
    const kept = await tryRecordStep(db, given);
    if (!kept) return;
    const waiting = kept.dueAt !== null ? ([[given.step.name, kept]] as const) : [];
    receipts.set(given.runId, { asked: kept.asked, steps: new Map(waiting) });
  };
  await Promise.all(steps.map(one));
  return receipts;
}
