import type { Workflow } from "../engine/workflow";
import type { Db, Statement } from "./db";

/*
 * Senders find here which workflows begin with an event, whether or not their own process has the code. The newest version
 * says so: a worker of an older one changes nothing.
 */
const keepStatement: Statement = {
  name: "keep-subscriptions",
  text: `
    insert into handrail.subscription (workflow, version, event)
    select * from unnest($1::text[], $2::int[], $3::text[])
    on conflict (workflow) do update set version = excluded.version, event = excluded.event
      where subscription.version <= excluded.version`,
};

const dropStatement: Statement = {
  name: "drop-subscriptions",
  text: `
    delete from handrail.subscription using unnest($1::text[], $2::int[]) as given (workflow, version)
    where subscription.workflow = given.workflow and subscription.version <= given.version`,
};

/** @param sorted by name: two workers that start at once lock the rows in the same order */
export async function registerSubscriptions(db: Db, sorted: readonly Workflow[]): Promise<void> {
  const on = sorted.filter((workflow) => workflow.on !== null);
  const off = sorted.filter((workflow) => workflow.on === null);
  const columns = (workflows: Workflow[]) => [
    workflows.map(({ name }) => name),
    workflows.map(({ version }) => version),
  ];
  if (on.length > 0) await db.query(keepStatement, [...columns(on), on.map((workflow) => workflow.on)]);
  if (off.length > 0) await db.query(dropStatement, columns(off));
}
