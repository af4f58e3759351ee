import type { NoticeFacts, NoticeKind } from "../../engine/notices/notice";
import type { Db, Statement } from "../db";
import { INCIDENTS_WAIT } from "./incidents";

/*
 * The feed of notifications. Rows come from triggers, and from here; a worker takes them in batches, and rows handed
 * over are deleted in the same commit: no notification is handed over twice, and none is lost while no worker lives.
 */

const pausedStatement: Statement = {
  name: "note-operation-paused",
  text: `
    insert into handrail.notice (kind, workflows, operation_id)
    select 'operation.paused', workflows, id from handrail.operation where id = $1::uuid`,
};

/** The operation paused itself; in the transaction that pauses it. */
export async function noteOperationPaused(tx: Db, operationId: string): Promise<void> {
  await tx.query(pausedStatement, [operationId]);
}

const switchedOffStatement: Statement = {
  name: "note-destination-switched-off",
  text: `insert into handrail.notice (kind, workflows, destination_id) values ('destination.switched_off', '{}', $1::uuid)`,
};

/** In the transaction that switches it off. */
export async function noteSwitchedOff(tx: Db, destinationId: string): Promise<void> {
  await tx.query(switchedOffStatement, [destinationId]);
}

/** Whether there is something to hand over. */
export const NOTICES_WAIT = `(exists (select from handrail.notice where due_at <= (select clock_timestamp()))
      or exists (select from handrail.delivery where status = 'gathering' and due_at <= clock_timestamp())
      or ${INCIDENTS_WAIT})`;

const waitingStatement: Statement = { name: "notices-waiting", text: `select ${NOTICES_WAIT} as waiting` };

export async function noticesWait(db: Db): Promise<boolean> {
  return (await db.query<{ waiting: boolean }>(waitingStatement, []))[0]?.waiting ?? false;
}

const turnStatement: Statement = {
  name: "lock-notice-turn",
  text: `select 1 from handrail.notice_turn for update skip locked`,
};

/** For the rest of the transaction, no other process hands over. False: another process holds the lock. */
export async function lockTurn(tx: Db): Promise<boolean> {
  return (await tx.query(turnStatement, [])).length > 0;
}

export interface NoticeRow extends NoticeFacts {
  seq: number;
  kind: NoticeKind;
  /** Of its problem; null where it has none. */
  problemStatus: string | null;
  /** The time since the last notification of its problem; null: never notified. */
  quietMs: number | null;
  /** Of an alert: whether it is still open, and whether its first notice was handed over. */
  alertOpen: boolean | null;
  alertTold: boolean | null;
}

const nextStatement: Statement = {
  name: "next-notices",
  text: `
    select notice.seq, notice.kind, to_char(notice.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, notice.workflows,
      notice.step, notice.run_id::text as "runId", notice.problem_id::text as "problemId", notice.plan_id::text as "planId",
      notice.operation_id::text as "operationId", notice.destination_id::text as "destinationId",
      problem.kind as "problemKind", problem.error_name as "errorName", problem.open_runs as "openRuns",
      problem.status as "problemStatus", extract(epoch from clock_timestamp() - problem.told_at)::float8 * 1000 as "quietMs",
      coalesce(operation.act, plan.act) as act, coalesce(operation.total, (plan.totals ->> 'included')::int) as runs,
      approval.proposer as by, destination.name, notice.alert_id::text as "alertId", alert.resolved_at is null as "alertOpen",
      alert.told_at is not null as "alertTold", case when rule.id is not null then json_build_object('ruleId', rule.id, 'rule', rule.name,
        'kind', rule.kind, 'severity', rule.severity, 'runbook', rule.runbook, 'threshold', rule.threshold, 'windowMs', rule.window_ms,
        'value', alert.value, 'subject', alert.subject, 'acknowledgedBy', alert.acknowledged_by,
        'openMs', extract(epoch from coalesce(alert.resolved_at, clock_timestamp()) - alert.opened_at)::float8 * 1000) end as alert
    from (select * from handrail.notice where due_at <= (select clock_timestamp()) order by due_at, seq limit $1::int) as notice
    left join handrail.problem on problem.id = notice.problem_id
    left join handrail.plan on plan.id = notice.plan_id
    left join handrail.plan_approval as approval on approval.plan_id = notice.plan_id
    left join handrail.operation on operation.id = notice.operation_id
    left join handrail.destination on destination.id = notice.destination_id
    left join handrail.alert on alert.id = notice.alert_id
    left join handrail.alert_rule as rule on rule.id = alert.rule_id
    order by notice.due_at, notice.seq`,
};

export const nextNotices = (tx: Db, limit: number): Promise<NoticeRow[]> => tx.query(nextStatement, [limit]);

const deferStatement: Statement = {
  name: "defer-notices",
  text: `
    with deferred as (
      update handrail.notice set due_at = problem.told_at + $2::float8 * interval '1 ms'
      from handrail.problem where notice.seq = any ($1::bigint[]) and problem.id = notice.problem_id
      returning notice.problem_id
    )
    delete from handrail.notice using deferred
    where notice.problem_id = deferred.problem_id and notice.seq <> all ($1::bigint[])`,
};

/** The problems of these notices were notified less than `quietMs` ago: the notices wait, one a problem. */
export async function deferNotices(tx: Db, seqs: readonly number[], quietMs: number): Promise<void> {
  await tx.query(deferStatement, [seqs, quietMs]);
}

const forgetStatement: Statement = {
  name: "forget-notices",
  text: `delete from handrail.notice where seq = any ($1::bigint[])`,
};

/** They are handed over, or no longer relevant. */
export async function forgetNotices(tx: Db, seqs: readonly number[]): Promise<void> {
  await tx.query(forgetStatement, [seqs]);
}

// Other notices of the same problem that arrived meanwhile add nothing.
const markNotifiedStatement: Statement = {
  name: "mark-problems-notified",
  text: `
    with locked as (
      select id from handrail.problem where id = any ($1::uuid[]) order by id for no key update
    ), same as (
      delete from handrail.notice where problem_id = any ($1::uuid[])
    )
    update handrail.problem set told_at = clock_timestamp() from locked where problem.id = locked.id`,
};

/** Records that these problems are notified now. */
export async function markNotified(tx: Db, problemIds: readonly string[]): Promise<void> {
  await tx.query(markNotifiedStatement, [problemIds]);
}

const alertsToldStatement: Statement = {
  name: "mark-alerts-told",
  text: "update handrail.alert set told_at = clock_timestamp() where id = any ($1::uuid[]) and told_at is null",
};

/** Records that these alerts are notified now: only then is it sent how they go on. */
export async function markAlertsTold(tx: Db, alertIds: readonly string[]): Promise<void> {
  if (alertIds.length > 0) await tx.query(alertsToldStatement, [alertIds]);
}
