import { OPERATION_WORKFLOW } from "../../engine/operations/operation";
import type { Db, Statement } from "../db";

/** Operations whose deletion one call begins, and those whose deletion it continues. */
const AT_ONCE = 10;

/*
 * Kept as long as completed runs of the workflow that carries operations out. After this instant it is not listed; its
 * plan becomes an unfinished, expired one, and is deleted like these (plans.ts). Races with: an action on the
 * operation, which has ended and changes no more.
 */
const forgetStatement: Statement = {
  name: "forget-old-operations",
  text: `
    with policy as (
      select (retention ->> 'completedMs')::float8 as kept_ms from handrail.workflow where name = '${OPERATION_WORKFLOW}'
      order by version desc limit 1
    ), old as (
      select id from handrail.operation
      where finished_at < (select clock_timestamp()) - (select kept_ms from policy) * interval '1 ms' and forgotten_at is null
      order by finished_at limit ${AT_ONCE} for no key update skip locked
    ), forgotten as (
      update handrail.operation set forgotten_at = clock_timestamp() from old where operation.id = old.id
      returning operation.plan_id
    )
    update handrail.plan set executed_at = null, hash = null, totals = null, expires_at = clock_timestamp()
    from forgotten where plan.id = forgotten.plan_id`,
};

/*
 * Guarantee: an operation is deleted after all of its items, so that a crash in between leaves no items without one.
 * Races with: concurrent deletions, whose operations are skipped.
 */
const deleteStatement: Statement = {
  name: "delete-old-operations",
  text: `
    with old as (
      select id from handrail.operation where forgotten_at is not null
      order by finished_at limit ${AT_ONCE} for update skip locked
    ), no_item as (
      delete from handrail.operation_item where (operation_id, position) in (
        select operation_id, position from handrail.operation_item where operation_id in (select id from old) limit $1::int)
      returning 1
    ), no_operation as (
      delete from handrail.operation where id in (select id from old)
        and not exists (select from handrail.operation_item where operation_id = operation.id)
      returning 1
    )
    select (select count(*) from no_item)::int + (select count(*) from no_operation)::int as deleted`,
};

/**
 * Deletes expired operations, up to `limit` items at a time; returns how many rows. Their plans are deleted as unused
 * ones; the audit log stays.
 */
export async function deleteOldOperations(db: Db, limit: number): Promise<number> {
  await db.query(forgetStatement, []);
  const [row] = await db.query<{ deleted: number }>(deleteStatement, [limit]);
  return row?.deleted ?? 0;
}
