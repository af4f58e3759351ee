import { type Standing, TICK_MS } from "../../engine/alerts/judge";
import type { Db, Statement } from "../db";
import type { RowInstant } from "../rows";

/* The alerts that rules have raised, and what a judgement writes. */

export const ALERTS_DUE = `exists (select from handrail.alert_turn where judged_at <= clock_timestamp() - ${TICK_MS} * interval '1 ms')`;

// Taken and marked as judged in one statement: a transaction that fails leaves the turn as it was.
const turnStatement: Statement = {
  name: "take-alert-turn",
  text: `
    with due as (
      select judged_at from handrail.alert_turn
      where judged_at <= clock_timestamp() - $1::float8 * interval '1 ms' for no key update skip locked
    )
    update handrail.alert_turn set judged_at = clock_timestamp() from due
    returning extract(epoch from due.judged_at)::float8 * 1000 as "judgedAt", extract(epoch from alert_turn.judged_at)::float8 * 1000 as now`,
};

interface Turn {
  /** The last judgement, and now, by the database's clock. */
  judgedAt: number;
  now: number;
}

/** For the rest of the transaction no other process judges. Undefined: another one does, or did within `tickMs`. */
export async function takeAlertTurn(tx: Db, tickMs: number): Promise<Turn | undefined> {
  return (await tx.query<Turn>(turnStatement, [tickMs]))[0];
}

export interface JudgedRule extends Standing {
  id: string;
  value: number | null;
  subject: string | null;
}

const standingsStatement: Statement = {
  name: "write-alert-standings",
  text: `
    update handrail.alert_rule as rule set state = given.state, value = given.value, subject = given.subject,
      breached_since = to_timestamp(given."breachedSince" / 1000), clear_since = to_timestamp(given."clearSince" / 1000)
    from jsonb_to_recordset($1::jsonb) as given (id uuid, state text, value float8, subject text, "breachedSince" float8, "clearSince" float8)
    where rule.id = given.id`,
};

/** Of rules whose standing has changed; the transaction holds them. */
export async function writeStandings(tx: Db, judged: readonly JudgedRule[]): Promise<void> {
  if (judged.length > 0) await tx.query(standingsStatement, [JSON.stringify(judged)]);
}

const openStatement: Statement = {
  name: "open-alerts",
  text: `
    insert into handrail.alert (id, rule_id, value, subject)
    select gen_random_uuid(), id, value, subject from jsonb_to_recordset($1::jsonb) as given (id uuid, value float8, subject text)`,
};

export async function openAlerts(tx: Db, fired: readonly JudgedRule[]): Promise<void> {
  if (fired.length > 0) await tx.query(openStatement, [JSON.stringify(fired)]);
}

/** What a notice is about: the workflow that is worst, or those of the rule. */
const NOTICE_WORKFLOWS = `case when rule.kind = 'schedule_late' or alert.subject is null then coalesce(rule.workflows, '{}')
        else array[alert.subject] end`;

const resolveStatement: Statement = {
  name: "resolve-alerts",
  text: `
    with over as (
      update handrail.alert set resolved_at = clock_timestamp() where rule_id = any ($1::uuid[]) and resolved_at is null returning *
    )
    insert into handrail.notice (kind, workflows, alert_id)
    select 'alert.resolved', ${NOTICE_WORKFLOWS}, alert.id from over as alert join handrail.alert_rule as rule on rule.id = alert.rule_id
    where alert.noticed_at is not null`,
};

/** With their notices, where people were notified. */
export async function resolveAlerts(tx: Db, ruleIds: readonly string[]): Promise<void> {
  if (ruleIds.length > 0) await tx.query(resolveStatement, [ruleIds]);
}

const noticeStatement: Statement = {
  name: "notice-alerts",
  text: `
    with noticed as (
      update handrail.alert set noticed_at = clock_timestamp()
      where rule_id = any ($1::uuid[]) and resolved_at is null and noticed_at is null and acknowledged_at is null returning *
    ), marked as (
      update handrail.alert_rule set noticed_at = clock_timestamp() from noticed where alert_rule.id = noticed.rule_id
    )
    insert into handrail.notice (kind, workflows, alert_id)
    select 'alert.fired', ${NOTICE_WORKFLOWS}, alert.id from noticed as alert join handrail.alert_rule as rule on rule.id = alert.rule_id`,
};

/** The open alerts of these rules, unless people were notified or have acknowledged them already. */
export async function noticeAlerts(tx: Db, ruleIds: readonly string[]): Promise<void> {
  if (ruleIds.length > 0) await tx.query(noticeStatement, [ruleIds]);
}

const acknowledgeStatement: Statement = {
  name: "acknowledge-alert",
  text: `
    with taken as (
      update handrail.alert set acknowledged_at = clock_timestamp(), acknowledged_by = $2
      where id = $1::uuid and rule_id = $3::uuid and resolved_at is null and acknowledged_at is null returning *
    ), notice as (
      insert into handrail.notice (kind, workflows, alert_id)
      select 'alert.acknowledged', ${NOTICE_WORKFLOWS}, alert.id from taken as alert join handrail.alert_rule as rule on rule.id = alert.rule_id
      where alert.noticed_at is not null
    )
    select 1 from taken`,
};

/** False: it is over, of another rule, or acknowledged already. The transaction holds the rule. */
export async function acknowledgeAlert(
  tx: Db,
  { alertId, ruleId }: { alertId: string; ruleId: string },
  by: string,
): Promise<boolean> {
  return (await tx.query(acknowledgeStatement, [alertId, by, ruleId])).length > 0;
}

export interface AlertRow {
  id: string;
  ruleId: string;
  value: number | null;
  subject: string | null;
  openedAt: RowInstant;
  noticedAt: RowInstant | null;
  acknowledgedAt: RowInstant | null;
  acknowledgedBy: string | null;
  resolvedAt: RowInstant | null;
}

const COLUMNS = `alert.id::text, alert.rule_id::text as "ruleId", alert.value, alert.subject, alert.opened_at as "openedAt",
      alert.noticed_at as "noticedAt", alert.acknowledged_at as "acknowledgedAt", alert.acknowledged_by as "acknowledgedBy",
      alert.resolved_at as "resolvedAt"`;

const lastStatement: Statement = {
  name: "last-alerts",
  text: `
    select last.* from unnest($1::uuid[]) as given (id) cross join lateral (
      select ${COLUMNS} from handrail.alert where rule_id = given.id order by opened_at desc limit $2::int) as last`,
};

/** The last alerts of each of these rules, latest first. */
export const listLastAlerts = (db: Db, ruleIds: readonly string[], limit: number): Promise<AlertRow[]> =>
  db.query(lastStatement, [ruleIds, limit]);

const oldStatement: Statement = {
  name: "delete-old-alerts",
  text: `
    with old as (
      select id from handrail.alert where resolved_at < (select clock_timestamp()) - $2::float8 * interval '1 ms'
      order by resolved_at limit $1::int for update skip locked
    ), gone as (delete from handrail.alert using old where alert.id = old.id returning 1)
    select count(*)::int as deleted from gone`,
};

/** Resolved so long ago, up to `limit`; returns how many. */
export async function deleteOldAlerts(db: Db, limit: number, keptMs: number): Promise<number> {
  return (await db.query<{ deleted: number }>(oldStatement, [limit, keptMs]))[0]?.deleted ?? 0;
}
