import pg from "pg";
import type { WalPosition } from "../../engine/wal-position";
import { Gathered } from "../database/gathered";
import { cut } from "../database/listener";
import { createPool } from "../database/pools";
import { isTrouble } from "../database/trouble";
import { within } from "../database/within";
import { clientDb, type Db, inReadBetween, sqlState } from "../db";
import { type StandbyRead, StandbyReader } from "./reader";
import { SIGHT, type Sight, selectIdentity, selectWalPosition, sightOf, Unusable, usable } from "./sight";
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
  private pool: pg.Pool;
  private identity: string | null = null;
  /** Why it is not read from; null: it is. */
  private reason: string | null = NOT_ASKED;
  private askAt = Number.NEGATIVE_INFINITY;
  private checking = false;

  constructor(private readonly options: StandbyOptions) {
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
    if (!this.isOpen()) return undefined;
    const { pool } = this;
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
        () => this.ask(),
      );
      return { ...result, seen: after.replayed as WalPosition };
    } catch (error) {
      if (!begun || concernsAll(error)) this.leave(error, pool);
      return undefined;
    }
  }

  /** How far it is behind now; null where it does not say. */
  async lagMs(): Promise<number | null> {
    const sight = await this.ask().catch(() => null);
    return sight?.recovering ? sight.ageMs : null;
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
      name: "handrail console reads",
      max: CONNECTIONS,
      boundedReads: true,
      connectMs: PATIENCE_MS,
      timeline: { check: (client) => this.checkIdentity(client) },
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
      usable(await this.ask(), this.options.maxLagMs, null);
      this.reason = null;
      this.options.onChange(null);
    } catch (error) {
      this.leave(error, this.pool);
    }
    this.checking = false;
  }

  private leave(error: unknown, pool: pg.Pool): void {
    const { message } = error as Error;
    const isNews = this.reason === null || this.reason === NOT_ASKED;
    this.askAt = performance.now() + PAUSE_MS;
    this.reason = message;
    if (isNews) this.options.onChange(message);
    if (this.pool !== pool || sqlState(error) !== undefined || error instanceof Unusable) return;
    // Its connections may be dead without a sign, and each would cost a request its patience.
    this.pool = this.open();
    pool.end().catch(() => undefined);
  }

  /** On a new connection, since those of the pool may be in use. @throws where there is no answer within a second */
  private async ask(): Promise<Sight> {
    const client = new pg.Client({
      connectionString: this.options.databaseUrl,
      application_name: "handrail console reads",
      connectionTimeoutMillis: PATIENCE_MS,
      query_timeout: PATIENCE_MS,
    });
    client.on("error", () => undefined);
    try {
      await client.connect();
      await this.checkIdentity(client);
      return await sightOf(client);
    } finally {
      cut(client);
    }
  }

  /** @throws Unusable for a standby of another database, where both servers say which theirs is */
  private async checkIdentity(client: pg.ClientBase): Promise<void> {
    this.identity ??= await selectIdentity(this.options.primary);
    const found = await selectIdentity(clientDb(client));
    if (this.identity !== null && found !== null && found !== this.identity)
      throw new Unusable("it is a standby of another cluster, or leads to another database");
  }
}

/** A conflict with recovery (40001, 57014) or another failure of one statement concerns its request alone. */
function concernsAll(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return OF_ITS_SERVER.test(state);
  return error instanceof Unusable || error instanceof Hung || isTrouble(error);
}
