import type { AlertDefinition, AlertRule, AlertSource, AlertState } from "../../engine/alerts/alert-rule";
import { ALERT_KINDS, MOST_ALERT_RULES } from "../../engine/alerts/alert-rule";
import type { Db, Statement } from "../db";
import type { RowInstant } from "../rows";
import { newPlanId } from "../run-id";
import { AS_OF } from "../standby/as-of";

export interface AlertRuleRow extends AlertDefinition {
  id: string;
  source: AlertSource;
  enabled: boolean;
  mutedUntil: RowInstant | null;
  mutedBy: string | null;
  revision: number;
  createdAt: RowInstant;
  createdBy: string;
  state: AlertState;
  value: number | null;
  subject: string | null;
  breachedSince: RowInstant | null;
  clearSince: RowInstant | null;
  noticedAt: RowInstant | null;
  /** Of code that no live worker of its app has any more. */
  retired: boolean;
}

const live = (worker: string) => `${worker}.stopped_at is null and ${worker}.lease_expires_at > ${AS_OF}`;

/*
 * A rule of code is in force while no worker lives, since it may say just that; otherwise while a live worker of its app defines
 * it. Versions side by side: the rules of each are in force, and the numbers are those of the worker that started last.
 */
const RETIRED = `(rule.source = 'code' and exists (
        select from handrail.worker as other where ${live("other")} and other.app = rule.app and other.alerts is not null)
      and not exists (
        select from handrail.worker as other where ${live("other")} and other.app = rule.app and rule.name = any (other.alerts)))`;

const COLUMNS = `rule.id::text, rule.name, rule.source, rule.kind, rule.workflows, rule.together, rule.threshold,
      rule.resolve_threshold as "resolveThreshold", rule.window_ms as "windowMs", rule.min_count as "minCount", rule.for_ms as "forMs",
      rule.resolve_for_ms as "resolveForMs", rule.quiet_ms as "quietMs", rule.severity, rule.runbook,
      rule.mute_windows as "muteWindows", rule.enabled,
      case when rule.muted_until > clock_timestamp() then rule.muted_until end as "mutedUntil",
      case when rule.muted_until > clock_timestamp() then rule.muted_by end as "mutedBy", rule.revision, rule.created_at as "createdAt",
      rule.created_by as "createdBy", rule.state, rule.value, rule.subject, rule.breached_since as "breachedSince",
      rule.clear_since as "clearSince", rule.noticed_at as "noticedAt", ${RETIRED} as retired`;

/** Rules of a kind that only a later release has are that release's to judge and to show. */
const KNOWN = `rule.kind in (${ALERT_KINDS.map((kind) => `'${kind}'`).join(", ")})`;

// Those of code are bounded by an app, those of people by a check: the limit is for what both miss.
const listStatement: Statement = {
  name: "list-alert-rules",
  text: `
    select ${COLUMNS} from handrail.alert_rule as rule where ${KNOWN}
    order by array_position(array['firing', 'pending', 'ok'], rule.state), rule.name limit ${MOST_ALERT_RULES * 10}`,
};

/** Those that fire first. */
export const listAlertRules = (db: Db): Promise<AlertRuleRow[]> => db.query(listStatement, []);

const judgedStatement: Statement = {
  name: "rules-to-judge",
  text: `
    select ${COLUMNS} from handrail.alert_rule as rule where (enabled or state <> 'ok') and ${KNOWN}
    order by id limit ${MOST_ALERT_RULES * 10} for no key update of rule skip locked`,
};

/** Locked, without those that a person changes at this moment: they are judged at the next tick. */
export const rulesToJudge = (tx: Db): Promise<AlertRuleRow[]> => tx.query(judgedStatement, []);

const selectStatement: Statement = {
  name: "select-alert-rule",
  text: `select ${COLUMNS} from handrail.alert_rule as rule where id = $1::uuid`,
};

export async function selectAlertRule(db: Db, id: string): Promise<AlertRuleRow | undefined> {
  return (await db.query<AlertRuleRow>(selectStatement, [id]))[0];
}

const lockStatement: Statement = { name: "lock-alert-rule", text: `${selectStatement.text} for no key update of rule` };

export async function lockAlertRule(tx: Db, id: string): Promise<AlertRuleRow | undefined> {
  return (await tx.query<AlertRuleRow>(lockStatement, [id]))[0];
}

const countStatement: Statement = {
  name: "count-alert-rules",
  text: "select count(*)::int as count from handrail.alert_rule where source <> 'code'",
};

export async function countAlertRules(tx: Db): Promise<number> {
  return (await tx.query<{ count: number }>(countStatement, []))[0]?.count ?? 0;
}

const DEFINED = `name, kind, workflows, together, threshold, resolve_threshold, window_ms, min_count, for_ms, resolve_for_ms, quiet_ms,
      severity, runbook, mute_windows`;
const GIVEN = `jsonb_to_recordset($1::jsonb) as given (id uuid, name text, kind text, workflows text[], together boolean,
      threshold float8, "resolveThreshold" float8, "windowMs" float8, "minCount" int, "forMs" float8, "resolveForMs" float8,
      "quietMs" float8, severity text, runbook text, "muteWindows" jsonb)`;
const GIVEN_COLUMNS = `given.name, given.kind, given.workflows, given.together, given.threshold, given."resolveThreshold",
      given."windowMs", given."minCount", given."forMs", given."resolveForMs", given."quietMs", given.severity, given.runbook,
      given."muteWindows"`;

const insertStatement: Statement = {
  name: "insert-alert-rule",
  text: `
    insert into handrail.alert_rule (id, source, created_by, enabled, ${DEFINED})
    select given.id, 'console', $2, $3::boolean, ${GIVEN_COLUMNS} from ${GIVEN}
    on conflict (name) do nothing returning 1`,
};

/** False: the name is taken. */
export async function insertAlertRule(
  tx: Db,
  rule: AlertDefinition & { id: string; enabled: boolean },
  createdBy: string,
): Promise<boolean> {
  return (await tx.query(insertStatement, [JSON.stringify([rule]), createdBy, rule.enabled])).length > 0;
}

const changeStatement: Statement = {
  name: "change-alert-rule",
  text: `
    update handrail.alert_rule as rule set (${DEFINED}) = (select ${GIVEN_COLUMNS}), enabled = $2::boolean, revision = revision + 1
    from ${GIVEN}
    where rule.id = given.id
      and not exists (select from handrail.alert_rule as other where other.name = given.name and other.id <> given.id)
    returning 1`,
};

/** False: the name is taken. The transaction holds the rule. */
export async function changeAlertRule(
  tx: Db,
  rule: AlertDefinition & { id: string; enabled: boolean },
): Promise<boolean> {
  return (await tx.query(changeStatement, [JSON.stringify([rule]), rule.enabled])).length > 0;
}

const removeStatement: Statement = {
  name: "remove-alert-rule",
  text: "delete from handrail.alert_rule where id = $1::uuid",
};

/** With its alerts: services hear that an open one is over. */
export async function removeAlertRule(tx: Db, id: string): Promise<void> {
  await tx.query(removeStatement, [id]);
}

const muteStatement: Statement = {
  name: "mute-alert-rule",
  text: `
    update handrail.alert_rule set muted_until = $2::timestamptz, muted_by = case when $2::timestamptz is not null then $3 end,
      revision = revision + 1
    where id = $1::uuid`,
};

/** @param until null: no longer. The transaction holds the rule. */
export async function muteAlertRule(tx: Db, id: string, until: string | null, by: string): Promise<void> {
  await tx.query(muteStatement, [id, until, by]);
}

const lockNamesStatement: Statement = {
  name: "lock-alert-rules",
  text: "select from handrail.alert_rule where name = any ($1::text[]) order by id for no key update",
};

// A name that people have used for a rule of their own stays theirs; a default becomes that of the code.
const syncStatement: Statement = {
  name: "sync-alert-rules",
  text: `
    insert into handrail.alert_rule as rule (id, source, app, created_by, ${DEFINED})
    select given.id, 'code', $2, $3, ${GIVEN_COLUMNS} from ${GIVEN} order by given.name
    on conflict (name) do update set source = 'code', app = excluded.app, enabled = true,
      (${DEFINED}) = (select ${DEFINED.replaceAll(/\w+/g, "excluded.$&")}),
      revision = rule.revision + 1
    where rule.source <> 'console' and (rule.source, rule.app, ${DEFINED.replaceAll(/\w+/g, "rule.$&")})
      is distinct from ('code', excluded.app, ${DEFINED.replaceAll(/\w+/g, "excluded.$&")})`,
};

const takenStatement: Statement = {
  name: "alert-rules-of-people",
  text: "select name from handrail.alert_rule where name = any ($1::text[]) and source = 'console' order by name",
};

/**
 * Registers the alert rules of the code, when a worker starts; the worker that starts last wins. Returns the names that belong to
 * rules made in the console, which stay.
 */
export async function syncAlertRules(db: Db, app: string, rules: readonly AlertRule[]): Promise<string[]> {
  if (rules.length === 0) return [];
  const names = rules.map(({ name }) => name);
  return db.transaction(async (tx) => {
    await tx.query(lockNamesStatement, [names]);
    const given = rules.map((rule) => ({ ...rule, id: newPlanId() }));
    await tx.query(syncStatement, [JSON.stringify(given), app, app === "" ? "code" : `code of ${app}`]);
    return (await tx.query<{ name: string }>(takenStatement, [names])).map(({ name }) => name);
  });
}
