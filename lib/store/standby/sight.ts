import type { ClientBase } from "pg";
import { isReached, type WalPosition } from "../../engine/wal-position";
import { type Db, type Statement, sqlState } from "../db";

/** How far a standby has replayed the primary's log. */
export interface Sight {
  /** False for a primary, also for a standby that was promoted: it may have its own history. */
  recovering: boolean;
  replayed: WalPosition | null;
  /** Since the last replayed commit; null before the first one. */
  ageMs: number | null;
}

export const SIGHT = `select pg_is_in_recovery() as recovering, pg_last_wal_replay_lsn()::text as replayed,
  greatest(extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000, 0)::float8 as "ageMs"`;

/** Something is wrong with the standby, for every reader. */
export class Unusable extends Error {}
/** The standby is usable, but has not replayed what this reader has to see. */
export class Behind extends Error {}

/** What a reader may be shown: `recovering` with nothing unknown. */
export interface Usable {
  replayed: WalPosition;
  ageMs: number;
}

/** @throws Unusable, Behind */
export function usable({ recovering, replayed, ageMs }: Sight, maxLagMs: number, floor: WalPosition | null): Usable {
  if (!recovering) throw new Unusable("it is not in recovery: it was promoted, or is a primary");
  if (replayed === null || ageMs === null) throw new Unusable("it has not replayed a commit yet");
  if (ageMs > maxLagMs) throw new Unusable(`it is ${Math.round(ageMs)} ms behind, and ${maxLagMs} ms are allowed`);
  if (floor !== null && !isReached(floor, replayed)) throw new Behind();
  return { replayed, ageMs };
}

/** The database of a cluster: a physical standby has the same. */
const IDENTITY: Statement = {
  name: "",
  text: `select system_identifier::text || '/' || (select oid from pg_database where datname = current_database()) as identity
    from pg_control_system()`,
};

const positionStatement: Statement = { name: "wal_position", text: "select pg_current_wal_lsn()::text as position" };

/** Of a primary: every change that was committed before is included. */
export async function selectWalPosition(db: Db): Promise<WalPosition> {
  const [row] = await db.query<{ position: WalPosition }>(positionStatement, []);
  return (row as { position: WalPosition }).position;
}

/** Null where this role may not ask, or the server cannot say. @throws where no answer came */
export async function selectIdentity(db: Db): Promise<string | null> {
  try {
    const [row] = await db.query<{ identity: string }>(IDENTITY, []);
    return row?.identity ?? null;
  } catch (error) {
    if (sqlState(error) === undefined) throw error;
    return null;
  }
}

export async function sightOf(client: ClientBase): Promise<Sight> {
  const { rows } = await client.query<Sight>(SIGHT);
  return rows[0] as Sight;
}
