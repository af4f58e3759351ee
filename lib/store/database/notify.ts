import { type Db, type Statement, sqlState } from "../db";
import { schemaName } from "../schema";

/** Channel that notifies workers of claimable runs. Without payload: the claim decides what to take. */
export const workChannel = () => `${schemaName()}_work`;
/** Channel that notifies consoles of changed runs. */
export const changeChannel = () => `${schemaName()}_change`;

/** Most ids of one notification, which takes 8,000 bytes at most: 200 ids would fill it. */
export const MAX_NAMED = 100;

/** The payload on the channel of changes. */
export interface Change {
  runIds: string[];
  /** Too many changed to name them. */
  many: boolean;
  /** A run has ended, needs attention, or was changed by a person. Absent in notifications of older code. */
  urgent?: boolean;
}

/** No LISTEN and NOTIFY: the server does not have them, or does not permit them. Only such a response, never a lost connection. */
export const hasNoNotes = (error: unknown): boolean => /^(0A000|42501|42601|42883)$/.test(sqlState(error) ?? "");

/*
 * A separate statement, after the commit that it reports: a NOTIFY inside a writing transaction serializes all commits
 * of the server. Alone it waits for no disk. A notification may get lost; listeners also poll, slower.
 */
const notifyStatement: Statement = {
  name: "notify",
  text: `select pg_notify($1, payload) from unnest($2::text[]) as payload`,
};

export async function sendWork(db: Db): Promise<void> {
  await db.query(notifyStatement, [workChannel(), [""]]);
}

export async function sendChanges(db: Db, changes: readonly Change[]): Promise<void> {
  await db.query(notifyStatement, [changeChannel(), changes.map((change) => JSON.stringify(change))]);
}
