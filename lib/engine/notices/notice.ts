import type { Severity } from "../alerts/alert-rule";
import { type AlertReading, readingWords, spanWords } from "../alerts/alert-words";

/** Kinds of notices that are sent outside the console. */
export const NOTICE_KINDS = [
  "problem.opened",
  "problem.came_back",
  "compensation.owed",
  "compensation.failed",
  "approval.waiting",
  "plan.waiting",
  "operation.paused",
  "destination.switched_off",
  "alert.fired",
  "alert.acknowledged",
  "alert.resolved",
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

export { DELIVERY_WORKFLOW } from "../workflows/own-workflows";

/** After a notice about a problem, a recipient gets no other about it within this time; it is sent afterwards. */
export const QUIET_MS = 15 * 60_000;
/** How long a message over the limit is held, to collect more events. */
export const GATHER_MS = 60_000;
/** Number of events that a message lists individually. */
export const SHOWN_EVENTS = 10;
/** Default of messages a minute to one destination. */
export const DEFAULT_PER_MINUTE = 10;
export const MAX_PER_MINUTE = 600;

/**
 * The facts known when a notice is handed over. Names and numbers alone: no payload, tag, error text or note goes to
 * other systems.
 */
export interface NoticeFacts {
  kind: NoticeKind;
  at: string;
  workflows: readonly string[];
  step: string | null;
  runId: string | null;
  problemId: string | null;
  planId: string | null;
  operationId: string | null;
  destinationId: string | null;
  /** For a problem. */
  problemKind: "failed" | "outcome_unknown" | "undo_failed" | null;
  errorName: string | null;
  openRuns: number | null;
  /** For a plan and its operation. */
  act: string | null;
  runs: number | null;
  /** The requester. */
  by: string | null;
  /** For a destination. */
  name: string | null;
  alertId: string | null;
  alert: AlertFacts | null;
}

/** What a notice about an alert knows. */
export interface AlertFacts extends AlertReading {
  ruleId: string;
  rule: string;
  severity: Severity;
  /** Of the rule. */
  runbook: string | null;
  acknowledgedBy: string | null;
  /** Since it fired. */
  openMs: number;
}

/** One event of a message, as stored and sent. */
export interface NoticeEvent {
  type: NoticeKind | "test" | "report";
  at: string;
  sentence: string;
  workflows: readonly string[];
  step: string | null;
  runId: string | null;
  problemId: string | null;
  planId: string | null;
  operationId: string | null;
  /** Absent from events that were made before there were alerts. */
  alertId?: string | null;
  /** Of an alert. */
  ruleId?: string;
  severity?: Severity;
  runbook?: string | null;
}

/** Longest name in a sentence; a longer one would push the rest out of a subject line. */
const MAX_NAME = 80;

/** A single line, whatever a step or error is named: it is used in subjects. */
export function plainName(text: string): string {
  const line = text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim()
    .toWellFormed();
  return line.length > MAX_NAME ? `${line.slice(0, MAX_NAME - 1).toWellFormed()}…` : line;
}

export function eventOf(facts: NoticeFacts): NoticeEvent {
  const { kind: type, at, workflows, step, runId, problemId, planId, operationId } = facts;
  const { alertId, alert } = facts;
  return {
    ...{ type, at, sentence: sentenceOf(facts), workflows, step, runId, problemId, planId, operationId, alertId },
    ...(alert && { ruleId: alert.ruleId, severity: alert.severity, runbook: alert.runbook }),
  };
}

/** Enough for a person to know what to do. Ends without a full stop: it is also a subject. */
export function sentenceOf(facts: NoticeFacts): string {
  const workflow = workflowsInWords(facts.workflows);
  const step = facts.step === null ? null : plainName(facts.step);
  const at = step === null ? "" : ` at ${step}`;
  const act = plainName(facts.act ?? "act").replaceAll("_", " ");
  switch (facts.kind) {
    case "problem.opened":
    case "problem.came_back":
      return problemSentence(facts, workflow, step);
    case "compensation.owed":
      return `${workflow}: ${step} must be compensated manually`;
    case "compensation.failed":
      return `${workflow}: the compensation of ${step} failed and needs manual action`;
    case "approval.waiting":
      return `${workflow} waits for an answer${at}`;
    case "plan.waiting":
      return `${plainName(facts.by ?? "An operator")} asks for a second approver: ${act} of ${counted(facts.runs ?? 1)} of ${workflow}`;
    case "operation.paused":
      return `An operation paused itself: ${act} of ${counted(facts.runs ?? 1)} of ${workflow}`;
    case "destination.switched_off":
      return `Nothing reaches ${plainName(facts.name ?? "a destination")}: it was switched off`;
    case "alert.fired":
    case "alert.acknowledged":
    case "alert.resolved":
      return alertSentence(facts.kind, facts.alert);
  }
}

function alertSentence(kind: NoticeKind, alert: AlertFacts | null): string {
  // Its rule was removed meanwhile.
  if (alert === null) return "An alert whose rule was removed";
  const rule = plainName(alert.rule);
  if (kind === "alert.acknowledged")
    return `${rule}: acknowledged by ${plainName(alert.acknowledgedBy ?? "an operator")}`;
  if (kind === "alert.resolved") return `${rule}: resolved after ${spanWords(alert.openMs)}`;
  return `${rule}: ${readingWords({ ...alert, subject: alert.subject && plainName(alert.subject) })}`;
}

const AGAIN = " again";

function problemSentence(facts: NoticeFacts, workflow: string, step: string | null): string {
  const again = facts.kind === "problem.came_back" ? AGAIN : "";
  const at = step === null ? "" : ` at ${step}`;
  const runs = facts.openRuns !== null && facts.openRuns > 0 ? ` (${counted(facts.openRuns)})` : "";
  const error = facts.errorName === null ? "" : `: ${plainName(facts.errorName)}`;
  if (facts.problemKind === "outcome_unknown") return `${workflow}: unknown outcome${again}${at}${runs}`;
  if (facts.problemKind === "undo_failed") return `${workflow}: compensation fails${again}${at}${error}${runs}`;
  return `${workflow} fails${again}${at}${error}${runs}`;
}

const counted = (runs: number): string => (runs === 1 ? "1 run" : `${runs} runs`);

function workflowsInWords([first, ...others]: readonly string[]): string {
  if (first === undefined) return "no workflow";
  return others.length === 0 ? plainName(first) : `${plainName(first)} and ${others.length} more`;
}

/** How an alert goes on: services learn it from the state of their incident, under the same key. */
const GOES_ON: readonly NoticeKind[] = ["alert.acknowledged", "alert.resolved"];

/** Whether a destination gets the notice. Compensations sent individually are not also sent as their problem. */
export const wants = (
  { kind, events, workflows }: { kind: string; events: readonly string[]; workflows: readonly string[] | null },
  notice: Pick<NoticeFacts, "kind" | "workflows" | "problemKind">,
): boolean =>
  events.includes(notice.kind) &&
  !(GOES_ON.includes(notice.kind) && kind !== "webhook" && kind !== "email") &&
  !(notice.problemKind === "undo_failed" && events.includes("compensation.failed")) &&
  (workflows === null || notice.workflows.length === 0 || notice.workflows.some((one) => workflows.includes(one)));

/** How events are divided into messages: one each, and the rest together in one, now or in a minute. */
interface Shares<Item> {
  alone: Item[];
  together: Item[];
  /** The combined message is held, to collect more events. */
  held: boolean;
}

/**
 * @param left messages that the destination may still get this minute
 * @param gathers a message is already held: new events join it, so that none overtakes another
 */
export function shareOut<Item>(events: readonly Item[], left: number, gathers: boolean): Shares<Item> {
  if (gathers || left <= 0) return { alone: [], together: [...events], held: true };
  if (events.length <= left) return { alone: [...events], together: [], held: false };
  return { alone: events.slice(0, left - 1), together: events.slice(left - 1), held: false };
}
