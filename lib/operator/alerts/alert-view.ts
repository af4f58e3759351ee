import type { Permissions } from "../../engine/access/permission";
import { type AlertDefinition, checkedAlert } from "../../engine/alerts/alert-rule";
import { firingsOf, isMuted } from "../../engine/alerts/judge";
import { HandrailError } from "../../engine/errors";
import { type AlertRuleRow, listAlertRules, selectAlertRule } from "../../store/alerts/alert-rules";
import { type AlertRow, listLastAlerts } from "../../store/alerts/alerts";
import { measure, measurePast } from "../../store/alerts/measures";
import type { Db } from "../../store/db";
import { asInstant, asInstantOrNull } from "../values";

const LAST_ALERTS = 50;

/** Whether all that a rule concerns is visible to the caller: a rule for every workflow is not to one who sees a few. */
export const seesRule = ({ workflows }: Permissions, rule: Pick<AlertDefinition, "workflows">): boolean =>
  workflows === null || (rule.workflows?.every((workflow) => workflows.includes(workflow)) ?? false);

/** Those that fire first, each with its last alert. */
export async function readAlertRules(db: Db, permissions: Permissions) {
  const rows = (await listAlertRules(db)).filter((rule) => seesRule(permissions, rule));
  const ids = rows.map(({ id }) => id);
  const last = new Map((await listLastAlerts(db, ids, 1)).map((alert) => [alert.ruleId, alert]));
  const rules = rows.map((row) => alertRuleView(row, last.has(row.id) ? [last.get(row.id) as AlertRow] : []));
  return { rules, updatedAt: new Date().toISOString() };
}

/** With its last 50 alerts. @throws HandrailError `not_found` */
export async function readAlertRule(db: Db, id: string, permissions: Permissions) {
  const row = await selectAlertRule(db, id);
  if (!row || !seesRule(permissions, row)) throw noAlertRule();
  return alertRuleView(row, await listLastAlerts(db, [id], LAST_ALERTS));
}

export const noAlertRule = () => new HandrailError("not_found", "There is no such alert rule.");

export function alertRuleView(row: AlertRuleRow, alerts: readonly AlertRow[]) {
  const { noticedAt: _, clearSince: __, ...rest } = row;
  const mutedUntil = asInstantOrNull(row.mutedUntil);
  const muting = { muteWindows: row.muteWindows, mutedUntil: mutedUntil === null ? null : Date.parse(mutedUntil) };
  return {
    ...rest,
    workflows: row.workflows && [...row.workflows],
    muteWindows: row.muteWindows.map((window) => ({ ...window, days: [...window.days] })),
    mutedUntil,
    muted: isMuted(muting, Date.now()),
    breachedSince: asInstantOrNull(row.breachedSince),
    createdAt: asInstant(row.createdAt),
    alerts: alerts.map(({ openedAt, noticedAt, acknowledgedAt, resolvedAt, ruleId: _rule, ...alert }) => ({
      ...alert,
      openedAt: asInstant(openedAt),
      noticedAt: asInstantOrNull(noticedAt),
      acknowledgedAt: asInstantOrNull(acknowledgedAt),
      resolvedAt: asInstantOrNull(resolvedAt),
    })),
  };
}

/** The rules that fire and nobody has acknowledged, for the Inbox. */
export async function readOpenAlerts(db: Db) {
  const firing = (await listAlertRules(db)).filter(({ state }) => state === "firing");
  const alerts = await listLastAlerts(
    db,
    firing.map(({ id }) => id),
    1,
  );
  const byRule = new Map(alerts.map((alert) => [alert.ruleId, alert]));
  return firing.flatMap((rule) => {
    const alert = byRule.get(rule.id);
    if (!alert) return [];
    const { id, name, kind, threshold, windowMs, value, subject, severity } = rule;
    return [
      {
        ...{ id, name, kind, threshold, windowMs, value, subject, severity },
        openedAt: asInstant(alert.openedAt),
        acknowledgedBy: alert.acknowledgedBy,
      },
    ];
  });
}

/**
 * What a rule with these numbers would see now, and how often it would have fired in the days that are counted.
 * @throws HandrailError `invalid_alert`
 */
export async function previewAlertRule(db: Db, rule: AlertDefinition) {
  const watched = { ...checkedAlert(rule), id: "preview" };
  const [now, past] = await Promise.all([measure(db, [watched]), measurePast(db, watched)]);
  const { value, subject } = now.get("preview") ?? { value: null, subject: null };
  const history = past && {
    firings: firingsOf(rule, past.values, past.widthMs),
    fromMs: past.values.length * past.widthMs,
    highest: past.values.reduce((most: number | null, one) => (one !== null && one > (most ?? -1) ? one : most), null),
  };
  return { value, subject, history };
}
