import type { Db, Statement } from "../db";

/** Channel on which workers hear that a run is ready. Without payload: what to claim is the claim's own question. */
export const WORK_CHANNEL = "handrail_work";
/** Channel on which consoles hear which runs changed. */
export const CHANGE_CHANNEL = "handrail_change";

/** More ids than this do not go into one note, which takes 8,000 bytes at most: 200 ids would fill it. */
export const MAX_NAMED = 100;

/** The payload on the channel of changes. */
export interface Change {
  runIds: string[];
  /** Too many changed to name them. */
  many: boolean;
  /** Somebody waits for this: a run has ended, needs a person, or a person has changed it. Absent in notes of older code. */
  urgent?: boolean;
}

/*
 * A statement of its own, after the commit that it is about: a NOTIFY inside a writing transaction makes all commits of the
 * server wait for each other. Alone it waits for no disk. A note may get lost; whoever listens also asks by itself, slower.
 */
const notifyStatement: Statement = {
  name: "notify",
  text: `select pg_notify($1, payload) from unnest($2::text[]) as payload`,
};

export async function sendWork(db: Db): Promise<void> {
  await db.query(notifyStatement, [WORK_CHANNEL, [""]]);
}

export async function sendChanges(db: Db, changes: readonly Change[]): Promise<void> {
  await db.query(notifyStatement, [CHANGE_CHANNEL, changes.map((change) => JSON.stringify(change))]);
}
