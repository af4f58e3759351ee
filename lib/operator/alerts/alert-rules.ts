import type { Permissions } from "../../engine/access/permission";
import { type AlertDefinition, checkedAlert, MOST_ALERT_RULES } from "../../engine/alerts/alert-rule";
import { HandrailError } from "../../engine/errors";
import { wants } from "../../engine/notices/notice";
import {
  type AlertRuleRow,
  changeAlertRule,
  countAlertRules,
  insertAlertRule,
  lockAlertRule,
  muteAlertRule,
  removeAlertRule,
} from "../../store/alerts/alert-rules";
import { acknowledgeAlert } from "../../store/alerts/alerts";
import { databaseNow } from "../../store/database/database-now";
import type { Db } from "../../store/db";
import { insertDelivery, openDestinations } from "../../store/notices/deliveries";
import { startDelivery } from "../../store/notices/start-delivery";
import { newPlanId } from "../../store/run-id";
import { type Attempt, audited } from "../audit/audited";
import type { Desk } from "../desk";
import { noAlertRule, readAlertRule, seesRule } from "./alert-view";

type Given = AlertDefinition & { enabled: boolean; reason: string };

interface RuleRequest {
  id: string;
  reason: string;
  permissions: Permissions;
  /** The revision that the operator saw. */
  revision?: number | undefined;
}

/** @throws HandrailError `invalid_alert`, `not_allowed` */
export async function addAlertRule(desk: Desk, { reason, ...given }: Given, permissions: Permissions) {
  const rule = { ...checkedAlert(given), id: newPlanId() };
  const attempt: Attempt = { act: "add_alert_rule", runId: null, reason, details: given, before: {} };
  const { body } = await audited(desk, attempt, async (tx, record) => {
    if ((await countAlertRules(tx)) >= MOST_ALERT_RULES)
      throw new HandrailError("not_allowed", `There are ${MOST_ALERT_RULES} alert rules: remove one first.`);
    if (!(await insertAlertRule(tx, rule, desk.by.name))) throw nameTaken(rule.name);
    await record({ ruleId: rule.id });
    return { status: 201, body: await readAlertRule(tx, rule.id, permissions) };
  });
  return body;
}

/** @throws HandrailError `not_found`, `changed`, `invalid_alert`, `not_allowed` for a rule of code */
export const changeAnAlertRule = (desk: Desk, { reason, ...given }: Given, request: Omit<RuleRequest, "reason">) =>
  onRule(desk, "change_alert_rule", { ...request, reason, details: given }, async (tx, row) => {
    refuseCode(row);
    if (given.kind !== row.kind)
      throw new HandrailError("invalid_alert", "A rule keeps its kind: add another one, and remove this one.");
    if (!(await changeAlertRule(tx, { ...checkedAlert(given), id: row.id }))) throw nameTaken(given.name);
  });

/** Services hear that its open alert is over. @throws HandrailError `not_found`, `changed`, `not_allowed` */
export async function removeAnAlertRule(desk: Desk, request: RuleRequest): Promise<void> {
  await onLockedRule(desk, "remove_alert_rule", request, async (tx, row) => {
    if (!row.retired) refuseCode(row);
    await removeAlertRule(tx, row.id);
    return { done: true as const };
  });
}

/** @param until null: no longer muted. @throws HandrailError `not_found`, `changed`, `invalid_input` */
export const muteAnAlertRule = (desk: Desk, { until, ...request }: RuleRequest & { until: string | null }) =>
  onRule(desk, "mute_alert_rule", { ...request, details: { until } }, async (tx, { id }) => {
    if (until !== null && Date.parse(until) <= (await databaseNow(tx)).getTime())
      throw new HandrailError("invalid_input", "A mute ends in the future.", {
        issues: [{ path: ["until"], message: "It has passed." }],
      });
    await muteAlertRule(tx, id, until, desk.by.name);
  });

/** The caller looks after it: services acknowledge it under the same key. @throws HandrailError `not_found`, `not_allowed` */
export const acknowledgeAnAlert = (desk: Desk, { alertId, ...request }: RuleRequest & { alertId: string }) =>
  onRule(desk, "acknowledge_alert", { ...request, details: { alertId } }, async (tx, { id: ruleId }) => {
    if (!(await acknowledgeAlert(tx, { alertId, ruleId }, desk.by.name)))
      throw new HandrailError(
        "not_allowed",
        "The alert is over, is none of this rule, or somebody has acknowledged it already.",
      );
  });

/** Sends a test to every destination that an alert of this rule would reach. @throws HandrailError `not_found`, `not_allowed` */
export async function testAlertRule(desk: Desk, request: RuleRequest) {
  const runIds: string[] = [];
  const answer = await onLockedRule(desk, "test_alert_rule", request, async (tx, { id: ruleId, name, workflows }) => {
    const notice = { kind: "alert.fired" as const, workflows: workflows ?? [], problemKind: null };
    const reached = (await openDestinations(tx)).filter((destination) => wants(destination, notice));
    if (reached.length === 0)
      throw new HandrailError(
        "not_allowed",
        "No destination is notified of this rule: choose alert.fired in one of them.",
      );
    const sentence = `This is a test: alert rule ${name} would be notified here`;
    const about = { workflows: [], step: null, runId: null, problemId: null, planId: null, operationId: null };
    const event = { type: "test" as const, at: (await databaseNow(tx)).toISOString(), sentence, ...about, ruleId };
    for (const { id: destinationId } of reached) {
      const id = newPlanId();
      const runId = await startDelivery(tx, id, 1);
      await insertDelivery(tx, { id, destinationId, events: [event], count: 1, runId });
      runIds.push(runId);
    }
    return { destinations: reached.length };
  });
  desk.notifier.changeAtOnce(runIds);
  desk.notifier.work();
  return answer;
}

type Ordered = RuleRequest & { details?: object };

const onRule = (desk: Desk, act: string, request: Ordered, change: (tx: Db, row: AlertRuleRow) => Promise<void>) =>
  onLockedRule(desk, act, request, async (tx, row) => {
    await change(tx, row);
    return readAlertRule(tx, row.id, request.permissions);
  });

/** One action, under the rule's lock. */
async function onLockedRule<Body>(
  desk: Desk,
  act: string,
  { id, revision, reason, permissions, details }: Ordered,
  work: (tx: Db, row: AlertRuleRow) => Promise<Body>,
): Promise<Body> {
  const attempt: Attempt = { act, runId: null, reason, details: { ruleId: id, ...details } };
  const { body } = await audited(desk, attempt, async (tx, record) => {
    const row = await lockAlertRule(tx, id);
    if (!row || !seesRule(permissions, row)) throw noAlertRule();
    const { name, enabled, state, threshold, forMs, revision: present } = row;
    attempt.before = { name, enabled, state, threshold, forMs, revision: present };
    if (revision !== undefined && revision !== present)
      throw new HandrailError("changed", "The rule has changed since you looked at it. Look again, then decide.", {
        revision: present,
      });
    const body = await work(tx, row);
    await record({ name });
    return { status: 200, body };
  });
  return body;
}

function refuseCode({ source, name }: AlertRuleRow): void {
  if (source === "code")
    throw new HandrailError(
      "not_allowed",
      `"${name}" is defined in code: change it there. Here it can be muted and acknowledged.`,
    );
}

const nameTaken = (name: string) => new HandrailError("not_allowed", `There is an alert rule named "${name}" already.`);
