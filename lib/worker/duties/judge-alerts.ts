import { judge, mayNotify, OK, TICK_MS } from "../../engine/alerts/judge";
import type { AlertRuleRow } from "../../store/alerts/alert-rules";
import { rulesToJudge } from "../../store/alerts/alert-rules";
import {
  type JudgedRule,
  noticeAlerts,
  openAlerts,
  resolveAlerts,
  takeAlertTurn,
  writeStandings,
} from "../../store/alerts/alerts";
import { measure } from "../../store/alerts/measures";
import type { Db } from "../../store/db";
import { faultPoint } from "../fault-points";
import { OnCall } from "../loop/on-call";

/**
 * Judges all alert rules, once a tick over any number of processes: what they became and the notices about it are one transaction,
 * so that a process that dies leaves all of it or nothing. Returns whether it was this process's turn.
 */
export async function judgeAlerts(db: Db, tickMs = TICK_MS): Promise<boolean> {
  const judged = await db.transaction(async (tx) => {
    const turn = await takeAlertTurn(tx, tickMs);
    if (!turn) return false;
    const rules = await rulesToJudge(tx);
    const measured = await measure(tx, rules.filter(isInForce));
    await faultPoint("alerts:before-write");
    const results = rules.map((rule) => {
      const found = measured.get(rule.id) ?? { value: null, subject: null };
      const { happened, ...standing } = isInForce(rule)
        ? judge(rule, standingOf(rule), found, turn.now, turn.judgedAt)
        : { ...OK, happened: rule.state === "firing" ? ("resolved" as const) : null };
      return { rule, happened, after: { id: rule.id, ...found, ...standing } satisfies JudgedRule };
    });
    const idsOf = (what: "fired" | "resolved") =>
      results.filter(({ happened }) => happened === what).map(({ after }) => after);
    await writeStandings(
      tx,
      results.filter(({ rule, after }) => !isAsBefore(rule, after)).map(({ after }) => after),
    );
    await openAlerts(tx, idsOf("fired"));
    await resolveAlerts(
      tx,
      idsOf("resolved").map(({ id }) => id),
    );
    const toNotify = results.filter(
      ({ rule, after }) => after.state === "firing" && mayNotify(mutingOf(rule), turn.now),
    );
    await noticeAlerts(
      tx,
      toNotify.map(({ rule }) => rule.id),
    );
    await faultPoint("alerts:before-commit");
    return true;
  });
  if (judged) await faultPoint("alerts:after-commit");
  return judged;
}

const isInForce = ({ enabled, retired }: AlertRuleRow): boolean => enabled && !retired;

const at = (instant: AlertRuleRow["noticedAt"]): number | null =>
  instant === null ? null : new Date(instant).getTime();

const isAsBefore = (rule: AlertRuleRow, { state, value, subject, breachedSince, clearSince }: JudgedRule): boolean => {
  const before = standingOf(rule);
  const isSame = rule.state === state && rule.value === value && rule.subject === subject;
  return isSame && before.breachedSince === breachedSince && before.clearSince === clearSince;
};

const standingOf = ({ state, breachedSince, clearSince }: AlertRuleRow) => ({
  state,
  breachedSince: at(breachedSince),
  clearSince: at(clearSince),
});

const mutingOf = ({ muteWindows, quietMs, mutedUntil, noticedAt }: AlertRuleRow) => ({
  ...{ muteWindows, quietMs },
  mutedUntil: at(mutedUntil),
  noticedAt: at(noticedAt),
});

/** When a tick is over, whichever process sees it first: there is no leader. */
export const alertLoop = (db: Db, onTrouble: (error: unknown) => void): OnCall =>
  new OnCall(async () => void (await judgeAlerts(db)), onTrouble);
