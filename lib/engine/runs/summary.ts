import type { CompensationMode, CompensationStatus } from "../compensations/compensation";
import type { StepStatus } from "../steps/step";
import type { RunStatus, WaitKind } from "./run";

/** The facts for the sentence about a run. Lists hold only the first steps that are not done, which is enough. */
export interface SummaryFacts {
  status: RunStatus;
  cancelRequested: boolean;
  pauseRequested: boolean;
  failedStep: string | null;
  errorMessage: string | null;
  waitingKind: WaitKind | null;
  waitingStep: string | null;
  /** A pending run with a delayed start. */
  startsLater: boolean;
  /** A pending run that has begun before. */
  begun: boolean;
  /** A live worker has the workflow, in the version that it was started or continued on. */
  workerAvailable: boolean;
  chosenVersion: number | null;
  /** The id of a payload key that the run needs and no live worker has; also null if this was not checked. */
  missingKey: string | null;
  /** What the blob store said, while it keeps the run from going on; also null if this was not checked. */
  blobError: string | null;
  /** Names of the limits that it waits for permits of; empty if this was not checked. */
  limits: readonly string[];
  /** Its workflow has queue limits: a pending run waits in a queue. */
  inQueue: boolean;
  /** The closed intake of its workflow holds it. */
  held: boolean;
  /** Completed steps that are not superseded, and the last of them to end. */
  doneCount: number;
  lastDone: string | null;
  skippedCount: number;
  /** Position of the last step reached. */
  lastPosition: number | null;
  /** Steps that are not superseded, and neither completed nor skipped. */
  unfinished: SummaryStep[];
  /** In the order of compensation. */
  compensations: SummaryCompensation[];
}

export interface SummaryStep {
  name: string;
  status: StepStatus;
  position: number;
  failures: number;
  errorMessage: string | null;
}

export interface SummaryCompensation {
  step: string;
  mode: CompensationMode;
  status: CompensationStatus;
  /** Who ended it: `worker`, or the name of a person. */
  by: string | null;
  /** The assignee's name. */
  assignee: string | null;
  errorMessage: string | null;
}

/** What happened, what did not, and what the run waits for, for non-authors of the code. Screens show the instants. */
export function summarize(run: SummaryFacts): string {
  switch (run.status) {
    case "pending":
      return sentences(done(run), pending(run));
    case "running":
      return sentences(done(run), running(run));
    case "waiting":
      return sentences(done(run), ...unknown(run), waiting(run), run.held ? HELD : null);
    case "completed":
      return sentences("Completed.", done(run) ?? "The run had no steps.");
    case "failed":
      return sentences(done(run), ...failure(run), ...unknown(run));
    case "cancelled":
      return sentences(
        run.errorMessage === null ? "Cancelled." : `Cancelled: ${asClause(run.errorMessage)}`,
        done(run) ?? "No step had completed.",
        ...unknown(run),
      );
    case "compensating":
      return sentences(...failure(run), compensating(run), run.held ? HELD : null);
    case "compensated":
      return sentences(...failure(run), compensated(run));
    case "paused":
      return sentences(done(run), ...unknown(run), "Paused by an operator. Resume the run to continue it.");
  }
}

const sentences = (...parts: (string | null)[]) => parts.filter((part) => part !== null).join(" ");

/** "charge-payment" as people read it, at the beginning of a sentence. Text after a colon is data: "Charge B-118". */
function title(step: string): string {
  const [kind = step, ...thing] = step.split(":");
  const words = [kind.replaceAll(/[-_.]+/g, " ").trim(), thing.join(":").trim()].filter(Boolean).join(" ") || step;
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The same inside a sentence. */
const name = (step: string) => `“${title(step)}”`;

function done({ doneCount, lastDone, skippedCount }: SummaryFacts): string | null {
  const skipped =
    skippedCount === 0 ? null : `${skippedCount === 1 ? "1 step was" : `${skippedCount} steps were`} skipped.`;
  if (doneCount === 0 || lastDone === null) return skipped;
  const completed =
    doneCount === 1 ? `${title(lastDone)} is done.` : `${doneCount} steps are done, the last one ${name(lastDone)}.`;
  return sentences(completed, skipped);
}

const HELD = "Held: an operator paused new runs of its workflow.";

function pending(run: SummaryFacts): string {
  if (run.held) return HELD;
  if (!run.workerAvailable)
    return `No live worker has ${run.chosenVersion === null ? "" : `version ${run.chosenVersion} of `}this workflow. Start one to continue.`;
  if (run.missingKey !== null)
    return `No live worker has the payload key “${run.missingKey}”. Add it to HANDRAIL_PAYLOAD_KEYS of a worker to continue.`;
  if (run.startsLater) return "Scheduled to start later.";
  if (run.inQueue) return run.begun ? "Queued to continue." : "Queued to start.";
  return run.begun ? "Waiting for a free worker to continue." : "Waiting for a free worker to start.";
}

function running(run: SummaryFacts): string {
  if (run.cancelRequested) return "Being cancelled: the current step may finish.";
  if (run.pauseRequested) return "Being paused: the current step may finish.";
  const [first, ...others] = run.unfinished.filter((step) => step.status === "running");
  if (run.blobError !== null)
    return `${first ? `A value of ${name(first.name)}` : "A value"} waits for the blob store. ${said(run.blobError)}`;
  if (!first) return "Running.";
  return others.length > 0
    ? `${title(first.name)} and ${others.length} more are running.`
    : `${title(first.name)} is running.`;
}

function unknown(run: SummaryFacts): string[] {
  return run.unfinished
    .filter((step) => step.status === "unknown")
    .map((step) => {
      const why = step.errorMessage ?? "its worker was lost after it started";
      return `${title(step.name)} has an unknown outcome: ${asClause(why)} It may have happened. Check with the provider.`;
    });
}

function waiting(run: SummaryFacts): string | null {
  const at = run.waitingStep === null ? "" : ` at ${name(run.waitingStep)}`;
  switch (run.waitingKind) {
    case "timer":
      return `Sleeping${at}.`;
    case "retry":
      return retrying(run);
    case "event":
      return `Waiting for an event${at}.`;
    case "child":
      return `Waiting for another run${at}.`;
    case "slot":
      return "Waiting for a free slot.";
    case "permit":
      return `Waiting for a permit of ${limitsText(run.limits)}${at}.`;
    case "blob":
      return sentences(`Waiting for the blob store${at}.`, run.blobError === null ? null : said(run.blobError));
    case "approval":
      return `Waiting for approval${at}.`;
    default:
      return run.unfinished.some((step) => step.status === "unknown") ? null : `Waiting for manual action${at}.`;
  }
}

const limitsText = (limits: readonly string[]): string =>
  limits.length === 0 ? "a limit" : `${limits.length === 1 ? "the limit" : "the limits"} ${limits.join(", ")}`;

const said = (error: string): string => `It said: ${asClause(error)}`;

function retrying(run: SummaryFacts): string {
  const step = run.unfinished.find(({ name }) => name === run.waitingStep);
  if (!step || step.failures === 0) return "Waiting for the next attempt.";
  return `${failed(step.name, step.failures, step.errorMessage)} Retries automatically.`;
}

function failure(run: SummaryFacts): string[] {
  if (run.failedStep === null)
    return run.errorMessage === null ? [] : [`The run failed between its steps: ${asClause(run.errorMessage)}`];
  const step = run.unfinished.find(({ name }) => name === run.failedStep);
  const why = failed(run.failedStep, step?.failures ?? 0, step?.errorMessage ?? run.errorMessage);
  const last = step !== undefined && step.position === run.lastPosition;
  return last && run.status === "failed" ? [why, "No later step ran."] : [why];
}

function failed(step: string, failures: number, message: string | null): string {
  const times = failures > 1 ? ` ${failures} times` : "";
  return message === null ? `${title(step)} failed${times}.` : `${title(step)} failed${times}: ${asClause(message)}`;
}

function compensating(run: SummaryFacts): string {
  const open = run.compensations.find(({ status }) => status === "owed" || status === "running" || status === "failed");
  const closed = run.compensations.filter(({ status }) => status === "completed" || status === "waived").length;
  const progress = closed > 0 ? ` ${closed} of ${run.compensations.length} resolved.` : "";
  if (!open) return `Compensating.${progress}`;
  if (open.status === "failed") {
    const why = open.errorMessage === null ? "." : `: ${asClause(open.errorMessage)}`;
    return `Compensating ${name(open.step)} failed${why} ${actionBy(open)}${progress}`;
  }
  return open.mode === "manual"
    ? `${title(open.step)} must be compensated manually${open.assignee === null ? "" : `; assigned to ${open.assignee}`}.${progress}`
    : `${title(open.step)} is being compensated.${progress}`;
}

const actionBy = ({ assignee }: SummaryCompensation) =>
  assignee === null ? "Needs manual action." : `Assigned to ${assignee}.`;

function compensated({ compensations }: SummaryFacts): string {
  const waived = compensations.filter(({ status }) => status === "waived").length;
  const byHand = compensations.filter(({ status, by }) => status === "completed" && by !== "worker").length;
  const byCode = compensations.length - waived - byHand;
  const ways = [
    byCode > 0 && `${byCode} by the worker`,
    byHand > 0 && `${byHand} manually`,
    waived > 0 && `${waived} waived`,
  ].filter((way) => way !== false);
  return `All steps are compensated: ${ways.join(", ")}.`;
}

// The first line names the problem; the inspector shows the rest of a long message.
const MAX_MESSAGE = 200;

function asClause(message: string): string {
  const line = (message.trim().split("\n")[0] ?? "").trim();
  const short = line.length > MAX_MESSAGE ? `${line.slice(0, MAX_MESSAGE)}…` : line || "no message was given";
  return /[.!?…]$/.test(short) ? short : `${short}.`;
}
