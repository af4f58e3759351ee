import type { Workflow } from "../../engine/workflows/workflow";
import type { Db, Statement } from "../db";

/*
 * Senders find here which workflows an event starts, whether or not their own process has the code. The newest version
 * decides, also that no event starts it: a worker of an older one changes nothing.
 */
const keepStatement: Statement = {
  name: "keep-subscriptions",
  text: `
    insert into handrail.subscription (workflow, version, event, filter)
    select workflow, version, event, filter::jsonb
      from unnest($1::text[], $2::int[], $3::text[], $4::text[]) as given (workflow, version, event, filter)
    on conflict (workflow) do update set version = excluded.version, event = excluded.event, filter = excluded.filter
      where subscription.version <= excluded.version`,
};

/** @param sorted by name: two workers that start at once lock the rows in the same order */
export async function registerSubscriptions(db: Db, sorted: readonly Workflow[]): Promise<void> {
  await db.query(keepStatement, [
    sorted.map(({ name }) => name),
    sorted.map(({ version }) => version),
    sorted.map(({ on }) => on),
    sorted.map(({ onFilter }) => onFilter),
  ]);
}
