import type { Db, Statement } from "../db";

const statement: Statement = {
  name: "subscribers-of-event",
  text: "select distinct workflow from handrail.subscription where event = $1 order by workflow",
};

/** The workflows that an event of this name starts here. */
export async function subscribersOf(db: Db, event: string): Promise<string[]> {
  return (await db.query<{ workflow: string }>(statement, [event])).map(({ workflow }) => workflow);
}
