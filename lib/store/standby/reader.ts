import { laterOf, type WalPosition } from "../../engine/wal-position";
import type { Db } from "../db";

/** What a read from the standby has resulted in, and what it can have seen. */
export interface StandbyRead<Result> {
  result: Result;
  /** The read has seen nothing after this. */
  seen: WalPosition;
  ageMs: number;
}

interface Source {
  /** Undefined where the standby cannot answer. */
  read<Result>(floor: WalPosition | null, work: (db: Db) => Promise<Result>): Promise<StandbyRead<Result> | undefined>;
}

/**
 * The reads of one request. Each is a transaction on the standby, and none sees less than one before it; once the standby
 * could not answer, the rest of the request reads from the primary.
 */
export class StandbyReader {
  readonly db: Db;
  /** The latest position that its reads from the standby can have seen; null before the first. */
  seen: WalPosition | null = null;
  /** The age of the oldest data that it read there. */
  ageMs = 0;
  private floor: WalPosition | null;
  private leftStandby: boolean;

  constructor(
    private readonly standby: Source,
    private readonly primary: Db,
    floor: WalPosition | null | undefined,
  ) {
    this.floor = floor ?? null;
    this.leftStandby = floor === undefined;
    this.db = {
      query: (statement, values) => this.read((db) => db.query(statement, values)),
      transaction: (body) => this.read((db) => db.transaction(body)),
    };
  }

  /** Where it has read so far. */
  get place(): "standby" | "primary" | "both" {
    if (this.seen === null) return "primary";
    return this.leftStandby ? "both" : "standby";
  }

  /** From now on it reads from the primary, and everything again. */
  leave(): void {
    this.leftStandby = true;
    this.seen = null;
  }

  /** Reads nothing: a stream says its age before it reads. */
  begin(): Promise<unknown> {
    return this.read(async () => undefined);
  }

  private async read<Result>(work: (db: Db) => Promise<Result>): Promise<Result> {
    const read = this.leftStandby ? undefined : await this.standby.read(this.floor, work);
    if (read === undefined) {
      this.leftStandby = true;
      return work(this.primary);
    }
    this.floor = laterOf(this.floor, read.seen);
    this.seen = laterOf(this.seen, read.seen);
    this.ageMs = Math.max(this.ageMs, read.ageMs);
    return read.result;
  }
}
