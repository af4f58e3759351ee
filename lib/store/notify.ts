import type { Db, Statement } from "./db";

/** Channel on which workers hear that a run is ready. Without payload: what to claim is the claim's own question. */
export const WORK_CHANNEL = "handrail_work";
/** Channel on which consoles hear which runs changed. */
export const CHANGE_CHANNEL = "handrail_change";

/** The payload on the channel of changes. */
export interface Change {
  runIds: string[];
  /** Too many changed to name them. */
  many: boolean;
}

/*
 * A statement of its own, after the commit it tells of: a NOTIFY inside a writing transaction makes all commits of the
 * server wait for each other. A note may get lost; whoever listens also asks by itself, slower.
 */
const notifyStatement: Statement = { name: "notify", text: `select pg_notify($1, $2)` };

export async function sendWork(db: Db): Promise<void> {
  await db.query(notifyStatement, [WORK_CHANNEL, ""]);
}

export async function sendChange(db: Db, change: Change): Promise<void> {
  await db.query(notifyStatement, [CHANGE_CHANNEL, JSON.stringify(change)]);
}
