import type { Db, Statement } from "../db";
import type { ChangedChild } from "../rows";
import { cutOff, keepCutOff, TO_BE_CUT_OFF, WORKER_LOST } from "../steps/cut-off-steps";

/*
 * Two statements for each level: the first one locks, the second one sees the rows as they are under the lock. As one, it would
 * check a row that was claimed meanwhile against the constraints as its snapshot has it, and Postgres would refuse to look at
 * a row again that depends on the steps that it cuts off.
 * Races with: the parent's own records, which hold its row or wait for this transaction, and then see its cancel
 * request (a child started after it inherits the request); a child's own end (the lock; an ended child is left alone).
 * Locks parents before children, children in the order of ids.
 */
const lockStatement: Statement = {
  name: "lock-children-to-cancel",
  text: `
    select id::text, cancel_requested_at is not null and status = 'running' as asked from handrail.run
    where parent_run_id = any ($1::uuid[]) and ends_with_parent and finished_at is null and status <> 'compensating'
    order by id
    for no key update`,
};

const cancelStatement: Statement = {
  name: "cancel-children",
  text: `
    with child as (
      select id, status, status = 'running' as held, revision from handrail.run where id = any ($1::uuid[])
    ), unknown as (
      select distinct child.id from child join handrail.step on step.run_id = child.id
      where not held and step.status = 'unknown' and step.superseded_by is null
    ), cut_off as (
      update handrail.step set ${cutOff("$2")}
      from child
      where not child.held and step.run_id = child.id and ${TO_BE_CUT_OFF}
      returning step.*
    ), kept as (${keepCutOff("cut_off", "$2")}
    ), cancelled as (
      update handrail.run set
        status = case when held then 'running' else 'cancelled' end,
        cancel_requested_at = case when held then clock_timestamp() end,
        finished_at = case when not held then clock_timestamp() end,
        epoch = case when held then epoch else epoch + 1 end,
        revision = run.revision + 1, tells_parent = false,
        pause_requested_at = case when held then pause_requested_at end, pause_root = case when held then pause_root end,
        held_due_at = null, due_at = null, waiting_kind = null, waiting_step = null, waiting_since = null,
        attention = case when not held and (run.id in (select id from unknown)
          or exists (select from cut_off where cut_off.run_id = run.id and cut_off.status = 'unknown')) then 'outcome_unknown' end
      from child where run.id = child.id
      returning run.id, run.workflow, run.status, run.revision
    )
    select child.id::text, cancelled.workflow,
      jsonb_build_object('status', child.status, 'revision', child.revision) as before,
      jsonb_build_object('status', cancelled.status, 'revision', cancelled.revision) as after
    from cancelled join child using (id) order by child.id`,
};

/**
 * Cancels the children that end with their parent, and theirs, level by level; those whose workers were asked already are left to them, and
 * theirs are not, since a lost worker may have left some behind. The transaction holds the parent, whose
 * cancel is written already; it writes the audit of all of them once every level is locked.
 */
export async function cancelChildren(tx: Db, runId: string): Promise<ChangedChild[]> {
  const all: ChangedChild[] = [];
  for (let parents = [runId]; parents.length > 0; ) {
    const children = await tx.query<{ id: string; asked: boolean }>(lockStatement, [parents]);
    const toCancel = children.filter(({ asked }) => !asked).map(({ id }) => id);
    if (toCancel.length > 0) all.push(...(await tx.query<ChangedChild>(cancelStatement, [toCancel, WORKER_LOST])));
    parents = children.map(({ id }) => id);
  }
  return all;
}
