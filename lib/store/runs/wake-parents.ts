import type { Db, Statement } from "../db";
import { AMONG } from "../runs-by-id";

/** Bounded, so that a sweep after an outage leaves capacity for other work. */
const CHILDREN_PER_SWEEP = 1_000;

/** A parent with this many open children is woken once a second at most, until the last one has ended. */
const MOST_OPEN_COUNTED = 1_000;

/*
 * Guarantee: the end of a child that its parent waits for wakes the parent, whichever of the two comes first. An end
 * sets `tells_parent` beside `finished_at`, so it is found until the parent has been notified, whichever process dies
 * in between. The notification holds the lock of the parent's row: a waiting parent becomes due; a claimed one gets
 * `woken_at`, which the record that ends its pass reads under the same lock; any other checks its children's ends when
 * it is next claimed.
 * Races with: the parent's own records (the lock), the same statement elsewhere (locks in the order of ids; the second
 * finds nothing to do), a rerun of the child (the condition is checked again on its locked row). A parent's pass costs
 * as much as it has steps. So not every child's end wakes it: the more children are open, the longer the delay, and the
 * last end wakes it at once.
 */
const wakeText = (whose: string) => `
    with ended as (
      select id, parent_run_id from handrail.run
      where tells_parent and finished_at is not null ${whose}
      limit ${CHILDREN_PER_SWEEP}
    ), parent as (
      select id from handrail.run where id = any (array(select parent_run_id from ended))
      order by id
      for no key update
    ), open as (
      select parent.id, least((
        select count(*) from (select from handrail.run as child
          where child.parent_run_id = parent.id and child.finished_at is null limit ${MOST_OPEN_COUNTED}) as counted
      ), ${MOST_OPEN_COUNTED}) as children
      from parent
    ), woken as (
      update handrail.run set
        due_at = case run.status when 'waiting'
          then least(run.due_at, clock_timestamp() + open.children * interval '1 ms') end,
        woken_at = case run.status when 'running' then clock_timestamp() end
      from open where ${AMONG("parent")} and run.id = open.id and run.status in ('waiting', 'running')
      returning run.id
    ), marked as (
      update handrail.run set tells_parent = false
      where ${AMONG("ended")} and tells_parent and finished_at is not null
    )
    select id::text from woken`;

const wakeTheseStatement: Statement = { name: "wake-parents", text: wakeText("and parent_run_id = any ($1::uuid[])") };
const wakeAllStatement: Statement = { name: "wake-all-parents", text: wakeText("") };

/** Notifies the parents of these ended runs; returns the ids of the parents that go on. */
export async function wakeParents(db: Db, parentIds: readonly string[]): Promise<string[]> {
  return (await db.query<{ id: string }>(wakeTheseStatement, [parentIds])).map(({ id }) => id);
}

/** Notifies all parents that a dead process left out. */
export async function wakeAllParents(db: Db): Promise<string[]> {
  return (await db.query<{ id: string }>(wakeAllStatement, [])).map(({ id }) => id);
}
