import { HandrailError } from "../errors";
import { isTimeZone } from "../schedules/time-zone";
import type { MuteWindow } from "./mute-window";

/** What a rule watches. */
export const ALERT_KINDS = [
  "failure_ratio",
  "backlog_age",
  "live_workers",
  "unknown_outcome_age",
  "compensation_age",
  "schedule_late",
  "duration_p95",
  "blob_store_age",
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

export const SEVERITIES = ["critical", "warning"] as const;
export type Severity = (typeof SEVERITIES)[number];

export const ALERT_STATES = ["ok", "pending", "firing"] as const;
export type AlertState = (typeof ALERT_STATES)[number];

/** `default`: made with Handrail; people may change it, as those of the console. */
export type AlertSource = "code" | "console" | "default";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Windows over which ends of runs are counted: few, so that all rules share the counts of each. */
export const ALERT_WINDOWS_MS = [5 * MINUTE_MS, 15 * MINUTE_MS, 60 * MINUTE_MS, 6 * 60 * MINUTE_MS, DAY_MS] as const;

interface KindRule {
  /** The unit of the threshold. */
  unit: "share" | "ms" | "workers";
  /** Fewer than the threshold breach it, instead of more. */
  below: boolean;
  /** It counts ends of runs in a window. */
  windowed: boolean;
}

export const KIND_RULES: Record<AlertKind, KindRule> = {
  failure_ratio: { unit: "share", below: false, windowed: true },
  backlog_age: { unit: "ms", below: false, windowed: false },
  live_workers: { unit: "workers", below: true, windowed: false },
  unknown_outcome_age: { unit: "ms", below: false, windowed: false },
  compensation_age: { unit: "ms", below: false, windowed: false },
  schedule_late: { unit: "ms", below: false, windowed: false },
  duration_p95: { unit: "ms", below: false, windowed: true },
  blob_store_age: { unit: "ms", below: false, windowed: false },
};

/** The numbers of a rule, as people and code choose them. */
export interface AlertDefinition {
  name: string;
  kind: AlertKind;
  /** Only these; null: every workflow, each by itself, of which the worst counts. */
  workflows: readonly string[] | null;
  /** With `workflows` null: all of them counted together. */
  together: boolean;
  threshold: number;
  resolveThreshold: number;
  /** Of windowed kinds. */
  windowMs: number | null;
  minCount: number | null;
  forMs: number;
  resolveForMs: number;
  quietMs: number;
  severity: Severity;
  runbook: string | null;
  muteWindows: readonly MuteWindow[];
}

/** An alert rule as defined in code. */
export type AlertRule = AlertDefinition;

/** An alert rule as `defineAlerts` takes it. Durations are in milliseconds. */
export interface AlertOptions {
  /** Its permanent identifier: lower-case letters, digits and `-`, `_`, `.`; 100 characters at most. */
  name: string;
  /**
   * `failure_ratio`: failed runs, as a share of those that completed or failed in the window. `backlog_age`: since the oldest run
   * that is ready to begin became so. `live_workers`: fewer than the threshold. `unknown_outcome_age`, `compensation_age`: since
   * the oldest one is open. `schedule_late`: since a schedule was due. `duration_p95`: 95 % of the window's runs took less.
   * `blob_store_age`: since a run waits for the blob store.
   */
  kind: AlertKind;
  /** Only these workflows. Default: every workflow, each judged by itself. */
  workflows?: readonly string[];
  /** All workflows are counted together, instead of each by itself. Of `failure_ratio` and `duration_p95`. Default false. */
  together?: boolean;
  /** A share from 0 to 1, milliseconds, or a number of workers, by kind. More (of workers: fewer) is a breach. */
  threshold: number;
  /** Resolves only at this value or a better one. Default: the threshold. */
  resolveThreshold?: number;
  /** Of `failure_ratio` and `duration_p95`: 5 or 15 minutes, 1, 6 or 24 hours. Default 900,000: 15 minutes. */
  windowMs?: number;
  /** Of the same: with fewer ends in the window there is no breach. Default 10. */
  minCount?: number;
  /** How long the breach must last before the rule fires; up to a day. Default 60,000. */
  forMs?: number;
  /** How long it must be over before the rule resolves; up to a day. Default 60,000. */
  resolveForMs?: number;
  /** After a message that it fires, none within this time, however often it fires; up to 7 days. Default 900,000. */
  quietMs?: number;
  /** `critical` pages with high urgency. Default `"critical"`. */
  severity?: Severity;
  /** Your page on what to do: an http or https address, linked in each message. Default: that of the destination. */
  runbook?: string;
  /** Hours of the week in which nothing is sent. The rule still shows its state, and is sent afterwards if it still fires. */
  muteWindows?: readonly MuteWindow[];
}

/**
 * Alert rules in code, for `alerts` of handrail.config.ts: workers register them, and the console shows them read-only.
 * @throws HandrailError `invalid_alert` that says what to write instead
 */
export function defineAlerts(rules: readonly AlertOptions[]): readonly AlertRule[] {
  const defined = rules.map((options) => checkedAlert(withDefaults(options)));
  checkAlerts(defined);
  return defined;
}

function withDefaults(options: AlertOptions): AlertDefinition {
  const { name, kind, threshold, workflows = null, together = false, resolveThreshold = threshold } = options;
  const { forMs = MINUTE_MS, resolveForMs = MINUTE_MS, quietMs = 15 * MINUTE_MS, severity = "critical" } = options;
  const { runbook = null, muteWindows = [] } = options;
  const windowed = KIND_RULES[kind]?.windowed ?? true;
  const windowMs = options.windowMs ?? (windowed ? 15 * MINUTE_MS : null);
  const minCount = options.minCount ?? (windowed ? 10 : null);
  return {
    ...{ name, kind, workflows, together, threshold, resolveThreshold, windowMs, minCount },
    ...{ forMs, resolveForMs, quietMs, severity, runbook, muteWindows },
  };
}

/** Most rules of an installation: each costs little, and nobody oversees more. */
export const MOST_ALERT_RULES = 100;
const NAME = /^[a-z0-9][a-z0-9._-]{0,99}$/;
const MOST_WORKFLOWS = 100;
const MOST_MUTE_WINDOWS = 20;
const LONGEST_THRESHOLD_MS = 366 * DAY_MS;

/** @throws HandrailError `invalid_alert` for a name that two rules have, or too many rules */
export function checkAlerts(rules: readonly AlertRule[]): void {
  if (rules.length > MOST_ALERT_RULES) throw invalid(`There may be ${MOST_ALERT_RULES} alert rules at most.`);
  const names = new Set<string>();
  for (const { name } of rules) {
    if (names.has(name)) throw invalid(`Two alert rules are named "${name}". Give each a unique name.`);
    names.add(name);
  }
}

/** @throws HandrailError `invalid_alert` that says what to write instead */
export function checkedAlert<Rule extends AlertDefinition>(rule: Rule): Rule {
  const { name, kind, workflows, together, runbook, muteWindows, severity } = rule;
  if (!NAME.test(name))
    throw invalid(
      `"${name}" cannot name an alert rule. Use lower-case letters, digits, "-", "_" and ".", such as "orders-failing".`,
    );
  const bad = (what: string) => invalid(`Alert rule "${name}": ${what}`);
  if (!ALERT_KINDS.includes(kind)) throw bad(`kind is one of ${ALERT_KINDS.join(", ")}.`);
  if (!SEVERITIES.includes(severity)) throw bad('severity is "critical" or "warning".');
  if (workflows !== null && (workflows.length === 0 || workflows.length > MOST_WORKFLOWS))
    throw bad(`workflows names 1 to ${MOST_WORKFLOWS} workflows; leave it out for every workflow.`);
  if (together && (workflows !== null || !KIND_RULES[kind].windowed))
    throw bad("together counts all workflows of failure_ratio or duration_p95; name no workflows with it.");
  if (runbook !== null && !(URL.canParse(runbook) && /^https?:\/\/[^\s"<>\\]{1,500}$/.test(runbook)))
    throw bad("runbook is the address of a page: it begins with https:// or http://.");
  if (muteWindows.length > MOST_MUTE_WINDOWS) throw bad(`there may be ${MOST_MUTE_WINDOWS} mute windows at most.`);
  for (const window of muteWindows) checkMuteWindow(window, bad);
  checkNumbers(rule, bad);
  return rule;
}

type Bad = (what: string) => HandrailError;

function checkNumbers(rule: AlertDefinition, bad: Bad): void {
  const { kind, threshold, resolveThreshold, windowMs, minCount, forMs, resolveForMs, quietMs } = rule;
  const { unit, below, windowed } = KIND_RULES[kind];
  const most = { share: 1, ms: LONGEST_THRESHOLD_MS, workers: 10_000 }[unit];
  const least = unit === "workers" ? 1 : 0;
  const range = { share: "a share from 0 to 1", ms: "milliseconds, up to 366 days", workers: "1 to 10,000 workers" }[
    unit
  ];
  for (const value of [threshold, resolveThreshold])
    if (!(value >= least && value <= most)) throw bad(`threshold and resolveThreshold are ${range}.`);
  if (below ? resolveThreshold < threshold : resolveThreshold > threshold)
    throw bad(
      `resolveThreshold is ${below ? "at least" : "at most"} the threshold: it is the better value of the two.`,
    );
  if (windowed && !(ALERT_WINDOWS_MS as readonly (number | null)[]).includes(windowMs))
    throw bad("windowMs is 5 or 15 minutes, or 1, 6 or 24 hours, in milliseconds.");
  if (windowed && !(Number.isInteger(minCount) && (minCount as number) >= 1 && (minCount as number) <= 1_000_000))
    throw bad("minCount is a whole number from 1 to 1,000,000.");
  if (!windowed && (windowMs !== null || minCount !== null)) throw bad(`${kind} has no windowMs and no minCount.`);
  const within = (ms: number, longest: number) => Number.isInteger(ms) && ms >= 0 && ms <= longest;
  if (!within(forMs, DAY_MS) || !within(resolveForMs, DAY_MS))
    throw bad("forMs and resolveForMs are whole milliseconds, up to a day.");
  if (!within(quietMs, 7 * DAY_MS)) throw bad("quietMs is whole milliseconds, up to 7 days.");
}

const CLOCK = /^([01]\d|2[0-3]):[0-5]\d$/;

function checkMuteWindow({ days, from, to, timeZone }: MuteWindow, bad: Bad): void {
  if (
    days.length === 0 ||
    new Set(days).size !== days.length ||
    days.some((day) => !(Number.isInteger(day) && day >= 1 && day <= 7))
  )
    throw bad("the days of a mute window are distinct numbers from 1 (Monday) to 7 (Sunday).");
  if (!CLOCK.test(from) || !CLOCK.test(to) || from === to)
    throw bad('a mute window goes from one time of day to another one, such as "22:00" to "06:00".');
  if (!isTimeZone(timeZone))
    throw bad(`"${timeZone}" is no time zone. Use a name of the IANA database, such as "Europe/Berlin" or "UTC".`);
}

const invalid = (message: string) => new HandrailError("invalid_alert", message);
