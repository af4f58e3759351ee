import { standingSteps } from "@/components/domain/run/rerun-split";
import type { Tone } from "@/components/ui/feedback/callout";
import type { Run } from "@/lib/api/contract/run";
import type { OperatorAct } from "@/lib/engine/runs/operator-acts";
import type { WaitKind } from "@/lib/engine/runs/run";
import { OPERATION_WORKFLOW } from "@/lib/engine/workflows/own-workflows";

/** Every reason why a run may not move. */
export const REASON_KINDS = [
  "no_worker",
  "no_worker_of_version",
  "missing_key",
  "silent_worker",
  "stopping_worker",
  "intake",
  "queue",
  "timer",
  "retry",
  "event",
  "child",
  "slot",
  "permit",
  "blob",
  "approval",
  "operator",
  "undo",
  "operation",
  "later",
  "free_worker",
  "cancelling",
  "pausing",
  "paused",
] as const;
export type ReasonKind = (typeof REASON_KINDS)[number];

interface Reason {
  tone: Tone;
  title: string;
  /** What would let it continue, in a sentence. */
  moves: string;
  /** The operator's action that does. */
  act?: { act: OperatorAct; label: string };
  /** Where else it can be moved. */
  link?: { text: string; to: (run: Run) => string };
}

const WORKERS = { text: "Workers", to: () => "/workers" };
const WORKFLOWS = { text: "Workflows", to: () => "/workflows" };

/** The one table of why a run does not move, and what would let it continue. docs/console/run-page.md shows it. */
export const REASONS = {
  no_worker: {
    tone: "amber",
    title: "No live worker for this workflow",
    moves: "Start a worker with this workflow to continue. Nothing is lost.",
    link: WORKERS,
  },
  no_worker_of_version: {
    tone: "amber",
    title: "No live worker for the chosen version",
    moves: "Start a worker with this version, or choose another version. Nothing is lost.",
    act: { act: "move", label: "Choose another version…" },
    link: WORKERS,
  },
  missing_key: {
    tone: "amber",
    title: "No live worker has the payload key",
    moves: "Add the key to HANDRAIL_PAYLOAD_KEYS of a worker to continue. Nothing is lost.",
    link: WORKERS,
  },
  silent_worker: {
    tone: "amber",
    title: "Worker lost",
    moves: "The lease has ended: another worker takes over within seconds, under a new epoch.",
    link: WORKERS,
  },
  stopping_worker: {
    tone: "gray",
    title: "Worker stopping",
    moves: "The worker finishes the step in flight, or releases the run; another worker continues.",
    link: WORKERS,
  },
  intake: {
    tone: "amber",
    title: "New runs are paused",
    moves: "Resume new runs of the workflow to continue.",
    link: WORKFLOWS,
  },
  queue: {
    tone: "gray",
    title: "Queued by a limit",
    moves: "Continues when an earlier run ends, or when the limit is raised.",
    link: WORKFLOWS,
  },
  timer: {
    tone: "violet",
    title: "Sleeping",
    moves: "Resumes automatically, by the database's clock.",
    act: { act: "wake", label: "Wake now…" },
  },
  retry: {
    tone: "amber",
    title: "Waiting to retry",
    moves: "The next attempt starts automatically, with the same idempotency key.",
    act: { act: "wake", label: "Try now…" },
  },
  event: {
    tone: "violet",
    title: "Waiting for an event",
    moves: "Continues when the event is sent.",
    act: { act: "send_event", label: "Send the event…" },
  },
  child: {
    tone: "violet",
    title: "Waiting for another run",
    moves: "Continues when the other run ends.",
    link: { text: "Open that run", to: childOf },
  },
  slot: { tone: "gray", title: "Waiting for a free slot", moves: "Continues when another run of the queue ends." },
  permit: {
    tone: "gray",
    title: "Waiting for a permit",
    moves: "Continues when a step with one ends, or when the limit's period has room.",
  },
  blob: {
    tone: "amber",
    title: "Waiting for the blob store",
    moves: "Continues when a large value can be read from it, or put there. It is tried again by itself.",
  },
  approval: {
    tone: "amber",
    title: "Waiting for an answer",
    moves: "Answer the question to continue.",
    act: { act: "answer", label: "Answer…" },
  },
  operator: {
    tone: "red",
    title: "Waiting for manual action",
    moves: "Look up the key at the provider, then record what happened.",
    act: { act: "settle", label: "Resolve…" },
  },
  undo: {
    tone: "red",
    title: "Compensation needs manual action",
    moves: "Mark it compensated, waive it, or retry it.",
    act: { act: "mark_compensated", label: "Mark compensated…" },
  },
  operation: {
    tone: "violet",
    title: "The operation is paused",
    moves: "Resume the operation to continue. A failed canary also pauses it.",
    link: { text: "Open the operation", to: operationOf },
  },
  later: {
    tone: "gray",
    title: "Starts later",
    moves: "Starts automatically, by the database's clock.",
    act: { act: "wake", label: "Start now…" },
  },
  free_worker: { tone: "gray", title: "Waiting for a worker", moves: "The next free worker claims it." },
  cancelling: { tone: "amber", title: "Cancelling", moves: "The worker finishes the step in flight first." },
  pausing: {
    tone: "amber",
    title: "Pausing",
    moves: "The worker finishes the step in flight first.",
    act: { act: "resume", label: "Resume…" },
  },
  paused: {
    tone: "gray",
    title: "Paused",
    moves: "Resume to continue; timers are on hold.",
    act: { act: "resume", label: "Resume…" },
  },
} as const satisfies Record<ReasonKind, Reason>;

export const reasonOf = (kind: ReasonKind): Reason => REASONS[kind];

/** One reason of a run, with its instants; null if there is none or it is unknown. */
export interface WaitReason {
  kind: ReasonKind;
  step: string | null;
  since: string | null;
  until: string | null;
}

const CAN_MOVE = new Set(["pending", "running", "waiting", "compensating"]);

/** Why the run does not move, the main obstacle first; empty for a run that moves or has ended. */
export function waitReasons(run: Run): WaitReason[] {
  const reasons: WaitReason[] = [];
  const add = (kind: ReasonKind, given: Partial<WaitReason> = {}) =>
    reasons.push({ step: null, since: null, until: null, ...given, kind });
  const stranded = strandedBy(run);
  if (stranded) add(stranded);
  if (run.owner?.status === "lost" || run.owner?.status === "stopped")
    add("silent_worker", { since: run.owner.leaseExpiresAt });
  if (run.owner?.status === "stopping") add("stopping_worker", { until: run.owner.leaseExpiresAt });
  if (run.heldBy) add("intake", { since: run.heldBy.closedAt });
  const inQueue = run.queue !== null && !stranded && !run.heldBy;
  if (inQueue) add("queue", { since: run.waitingFor?.since ?? run.createdAt, until: run.queue?.opensAt ?? null });
  const wait = run.waitingFor;
  if (wait && !(wait.kind === "slot" && inQueue)) add(kindOfWait(run, wait.kind), wait);
  if (run.status === "pending" && run.runAt) add("later", { since: run.createdAt, until: run.runAt });
  else if (run.status === "pending" && !run.queue && !stranded && !run.heldBy)
    add("free_worker", { since: run.createdAt });
  if (run.cancelRequestedAt && run.status !== "cancelled") add("cancelling", { since: run.cancelRequestedAt });
  if (run.pauseRequestedAt) add(run.status === "paused" ? "paused" : "pausing", { since: run.pauseRequestedAt });
  return reasons;
}

function strandedBy(run: Run): ReasonKind | null {
  if (!CAN_MOVE.has(run.status)) return null;
  if (!run.workerAvailable) return run.chosenVersion === null ? "no_worker" : "no_worker_of_version";
  return run.missingKey !== null && run.status !== "running" ? "missing_key" : null;
}

function kindOfWait(run: Run, kind: WaitKind): ReasonKind {
  if (run.status === "compensating" && kind === "operator") return "undo";
  return kind === "event" && run.workflow === OPERATION_WORKFLOW ? "operation" : kind;
}

/** Steps that wait beside the one that the run is said to wait for. */
export function alsoWaiting(run: Run): string[] {
  if (run.status !== "waiting") return [];
  return standingSteps(run.steps)
    .filter(({ name, status }) => name !== run.waitingFor?.step && (status === "waiting" || status === "unknown"))
    .map(({ name }) => name);
}

function childOf(run: Run): string {
  const step = standingSteps(run.steps).find(({ name }) => name === run.waitingFor?.step);
  return step?.reference ? `/runs/${step.reference}` : `/runs/${run.id}?tab=children`;
}

function operationOf(run: Run): string {
  const { operationId } = (run.input ?? {}) as { operationId?: unknown };
  return typeof operationId === "string" ? `/operations/${operationId}` : "/operations";
}
