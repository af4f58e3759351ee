import type pg from "pg";
import { isReached, type WalPosition } from "../../engine/wal-position";
import { Gathered } from "../database/gathered";
import { createPool } from "../database/pools";
import { isTrouble } from "../database/trouble";
import { within } from "../database/within";
import { clientDb, type Db, inReadBetween, sqlState } from "../db";
import { messageOf } from "../migrations/apply";
import { type StandbyRead, StandbyReader } from "./reader";
import { SIGHT, type Sight, selectWalPosition, Unusable, usable } from "./sight";
import { READS, StandbyServer } from "./standby-server";
import { Hung, PATIENCE_MS, unlessHung } from "./unless-hung";
import { WritePositions } from "./write-positions";

/** An unusable standby is asked again this much later, beside the requests: they read from the primary meanwhile. */
const PAUSE_MS = 5_000;
const CONNECTIONS = 10;
const ASKERS_AT_ONCE = 10_000;
const LIMITS = { statementTimeoutMs: 5_000, idleInTransactionMs: 5_000 };
const NOT_ASKED = "it has not been asked yet";

/*
 * What concerns the standby and not one statement: no connection (08), wrong credentials or database (28, 3D), no
 * resources (53), shutting down or starting up (57P), and tables or columns that it does not have yet.
 */
const OF_ITS_SERVER = /^(08|28|3D|3F|53|57P|58|42P01|42703|42883)/;

export interface StandbyOptions {
  databaseUrl: string;
  primary: Db;
  maxLagMs: number;
  /** Called when the standby becomes usable (null), and with the reason when it is not any more. */
  onChange: (reason: string | null) => void;
}

/** Streaming standbys behind one address: read from where they are usable, and asked again later where not. */
export class Standby {
  readonly reads = { standby: 0, primary: 0 };
  private readonly writes = new WritePositions();
  private readonly positions: Gathered<null, WalPosition>;
  private readonly server: StandbyServer;
  private pool: pg.Pool;
  /** Why it is not read from; null: it is. */
  private reason: string | null = NOT_ASKED;
  private askAt = Number.NEGATIVE_INFINITY;
  private checking = false;

  constructor(private readonly options: StandbyOptions) {
    this.server = new StandbyServer(options.databaseUrl, options.primary);
    this.pool = this.open();
    this.positions = new Gathered(async (some) => {
      const position = await selectWalPosition(options.primary);
      return some.map(() => position);
    }, ASKERS_AT_ONCE);
  }

  /** The reads of one request, which see everything up to `floor`; undefined: from the primary alone. */
  reader(floor: WalPosition | null | undefined): StandbyReader {
    return new StandbyReader(this, this.options.primary, floor);
  }

  /** Where the primary is now: everything that was committed before is included. Null while it does not say. */
  async position(): Promise<WalPosition | null> {
    return within(
      this.positions.do(null).catch(() => null),
      PATIENCE_MS,
      null,
    );
  }

  /** From now on the owner's reads in this process see everything that is committed by now. */
  async advance(owner: string): Promise<WalPosition | null> {
    const position = await this.position();
    this.writes.note(owner, position);
    return position;
  }

  /** What the owner's reads have to see; undefined: unknown. */
  async floorOf(owner: string): Promise<WalPosition | null | undefined> {
    const known = this.writes.of(owner);
    return known === undefined ? ((await this.advance(owner)) ?? undefined) : known;
  }

  /** Undefined where the standby cannot answer: then the primary has to. */
  async read<Result>(
    floor: WalPosition | null,
    work: (db: Db) => Promise<Result>,
  ): Promise<StandbyRead<Result> | undefined> {
    const { pool } = this;
    if (!this.isOpen() || isFull(pool)) return undefined;
    let begun = false;
    const reading = inReadBetween(pool, SIGHT, async (client, before: Sight) => {
      begun = true;
      const { ageMs } = usable(before, this.options.maxLagMs, floor);
      return { result: await work(clientDb(client)), ageMs };
    });
    try {
      const { result, after } = await unlessHung(
        reading,
        () => begun,
        () => this.server.ask(),
      );
      return { ...result, seen: after.replayed as WalPosition };
    } catch (error) {
      if (!begun || concernsAll(error)) this.leave(error, pool);
      return undefined;
    }
  }

  /** Asked now: how far it is behind, null where it does not say; and what keeps it from being read from, if anything. */
  async health(): Promise<{ lagMs: number | null; trouble: Error | null }> {
    const position = await this.position();
    let lagMs: number | null = null;
    try {
      const sight = await this.server.ask();
      if (sight.recovering) lagMs = lagOf(sight, position);
      usable({ ...sight, ageMs: lagMs }, this.options.maxLagMs, null);
      return { lagMs, trouble: null };
    } catch (error) {
      return { lagMs, trouble: error as Error };
    }
  }

  async close(): Promise<void> {
    this.reason = "this process ends";
    this.askAt = Number.POSITIVE_INFINITY;
    await within(this.pool.end(), PATIENCE_MS, undefined);
  }

  private open(): pg.Pool {
    return createPool({
      ...LIMITS,
      databaseUrl: this.options.databaseUrl,
      name: READS,
      max: CONNECTIONS,
      boundedReads: true,
      connectMs: PATIENCE_MS,
      timeline: this.server,
    });
  }

  /** Whether requests read there. If not, and its pause is over, it is asked beside them. */
  private isOpen(): boolean {
    if (this.reason === null) return true;
    if (!this.checking && performance.now() >= this.askAt) void this.askAgain();
    return false;
  }

  private async askAgain(): Promise<void> {
    this.checking = true;
    try {
      usable(await this.server.ask(), this.options.maxLagMs, null);
      this.reason = null;
      this.options.onChange(null);
    } catch (error) {
      this.leave(error, this.pool);
    }
    this.checking = false;
  }

  private leave(error: unknown, pool: pg.Pool): void {
    // A pool that was replaced says nothing of the server as it is now.
    if (this.pool !== pool) return;
    const isNews = this.reason === null || this.reason === NOT_ASKED;
    this.askAt = performance.now() + PAUSE_MS;
    this.reason = messageOf(error);
    if (isNews) this.options.onChange(this.reason);
    if (sqlState(error) !== undefined || error instanceof Unusable) return;
    // Its connections may be dead without a sign, and each would cost a request its patience.
    this.pool = this.open();
    pool.end().catch(() => undefined);
  }
}

/** A read that had to wait for a connection would wait for the slowest of the others: the primary answers it at once. */
const isFull = ({ totalCount, idleCount, waitingCount }: pg.Pool) =>
  totalCount - idleCount + waitingCount >= CONNECTIONS;

/** A standby that has replayed the whole log is not behind, however long ago the last commit was. */
const lagOf = ({ replayed, ageMs }: Sight, end: WalPosition | null) =>
  end !== null && replayed !== null && isReached(end, replayed) ? 0 : ageMs;

/** A conflict with recovery (40001, 57014) or another failure of one statement concerns its request alone. */
function concernsAll(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return OF_ITS_SERVER.test(state);
  return error instanceof Unusable || error instanceof Hung || isTrouble(error);
}
