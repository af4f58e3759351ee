/** What people outside the console are told of. */
export const NOTICE_KINDS = [
  "problem.opened",
  "problem.came_back",
  "compensation.owed",
  "compensation.failed",
  "approval.waiting",
  "plan.waiting",
  "operation.paused",
  "destination.switched_off",
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** Of the workflow that delivers, beside the app's own. */
export const DELIVERY_WORKFLOW = "handrail.delivery";

/** Whoever has just been told of a problem is not told of it again within this time, but after it. */
export const QUIET_MS = 15 * 60_000;
/** How long a message that would be one too many is held, to take more in. */
export const GATHER_MS = 60_000;
/** Of a message about many, so many are told one by one. */
export const SHOWN_EVENTS = 10;
/** Messages a minute to one destination, unless somebody chooses. */
export const DEFAULT_PER_MINUTE = 10;
export const MAX_PER_MINUTE = 600;

/**
 * What is known of a notice when it is handed over. Names and numbers alone: no payload, no tag, no error's text and nothing that
 * people wrote to runs goes to other systems.
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
  /** Of a problem. */
  problemKind: "failed" | "outcome_unknown" | "undo_failed" | null;
  errorName: string | null;
  openRuns: number | null;
  /** Of a plan and its operation. */
  act: string | null;
  runs: number | null;
  /** Who asks. */
  by: string | null;
  /** Of a destination. */
  name: string | null;
}

/** One of a message's events, as it is kept and sent. */
export interface NoticeEvent {
  type: NoticeKind | "test";
  at: string;
  sentence: string;
  workflows: readonly string[];
  step: string | null;
  runId: string | null;
  problemId: string | null;
  planId: string | null;
  operationId: string | null;
}

/** Longest name in a sentence; whatever is longer would push the rest out of a subject line. */
const MAX_NAME = 80;

/** On one line, whatever somebody named their step or error: it goes into subjects. */
export function plainName(text: string): string {
  const line = text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim()
    .toWellFormed();
  return line.length > MAX_NAME ? `${line.slice(0, MAX_NAME - 1).toWellFormed()}…` : line;
}

export function eventOf(facts: NoticeFacts): NoticeEvent {
  const { kind: type, at, workflows, step, runId, problemId, planId, operationId } = facts;
  return { type, at, sentence: sentenceOf(facts), workflows, step, runId, problemId, planId, operationId };
}

/** By which a person knows what to do, without looking. Ends without a full stop: it is a subject, too. */
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
      return `${workflow} owes an undo by hand of ${step}`;
    case "compensation.failed":
      return `${workflow}: the undo of ${step} has failed and waits for a person`;
    case "approval.waiting":
      return `${workflow} waits for an answer${at}`;
    case "plan.waiting":
      return `${plainName(facts.by ?? "Somebody")} asks for a second person: ${act} of ${counted(facts.runs ?? 1)} of ${workflow}`;
    case "operation.paused":
      return `An operation paused itself: ${act} of ${counted(facts.runs ?? 1)} of ${workflow}`;
    case "destination.switched_off":
      return `Nothing reaches ${plainName(facts.name ?? "a destination")}: it was switched off`;
  }
}

const AGAIN = " again";

function problemSentence(facts: NoticeFacts, workflow: string, step: string | null): string {
  const again = facts.kind === "problem.came_back" ? AGAIN : "";
  const at = step === null ? "" : ` at ${step}`;
  const runs = facts.openRuns !== null && facts.openRuns > 0 ? ` (${counted(facts.openRuns)})` : "";
  const error = facts.errorName === null ? "" : `: ${plainName(facts.errorName)}`;
  if (facts.problemKind === "outcome_unknown") return `${workflow}${at}: nobody knows${again} what the step did${runs}`;
  if (facts.problemKind === "undo_failed") return `${workflow}: the undo${at} fails${again}${error}${runs}`;
  return `${workflow} fails${again}${at}${error}${runs}`;
}

const counted = (runs: number): string => (runs === 1 ? "1 run" : `${runs} runs`);

function workflowsInWords([first, ...others]: readonly string[]): string {
  if (first === undefined) return "no workflow";
  return others.length === 0 ? plainName(first) : `${plainName(first)} and ${others.length} more`;
}

/** Whether a destination is told of it. Undos that failed are told one by one where it asks for that, and not as their problem, too. */
export const wants = (
  { events, workflows }: { events: readonly string[]; workflows: readonly string[] | null },
  notice: Pick<NoticeFacts, "kind" | "workflows" | "problemKind">,
): boolean =>
  events.includes(notice.kind) &&
  !(notice.problemKind === "undo_failed" && events.includes("compensation.failed")) &&
  (workflows === null || notice.workflows.length === 0 || notice.workflows.some((one) => workflows.includes(one)));

/** How what a destination is to be told is shared out: one message each, and the rest in one together, now or in a minute. */
interface Shares<Told> {
  alone: Told[];
  together: Told[];
  /** Of what is told together: held, to take more in. */
  held: boolean;
}

/**
 * @param left messages that the destination may still get this minute
 * @param gathers something is held for it already: whatever comes is told together with that, so that nothing overtakes
 */
export function shareOut<Told>(told: readonly Told[], left: number, gathers: boolean): Shares<Told> {
  if (gathers || left <= 0) return { alone: [], together: [...told], held: true };
  if (told.length <= left) return { alone: [...told], together: [], held: false };
  return { alone: told.slice(0, left - 1), together: told.slice(left - 1), held: false };
}
