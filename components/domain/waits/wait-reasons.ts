import { standingSteps } from "@/components/domain/run/rerun-split";
import type { Tone } from "@/components/ui/feedback/callout";
import type { Run } from "@/lib/api/contract/run";
import { OPERATION_WORKFLOW } from "@/lib/engine/operations/operation-name";
import type { OperatorAct } from "@/lib/engine/runs/operator-acts";
import type { WaitKind } from "@/lib/engine/runs/run";

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
    title: "No live worker has its workflow",
    moves: "It stands still until one that has it is started. Nothing is lost.",
    link: WORKERS,
  },
  no_worker_of_version: {
    tone: "amber",
    title: "No live worker has the version that was chosen for it",
    moves:
      "It stands still until one that has that version is started, or it is moved to another version. Nothing is lost.",
    act: { act: "move", label: "Choose another version…" },
    link: WORKERS,
  },
  missing_key: {
    tone: "amber",
    title: "No live worker has its payload key",
    moves: "It goes on once the key stands in HANDRAIL_PAYLOAD_KEYS of a worker. Nothing is lost.",
    link: WORKERS,
  },
  silent_worker: {
    tone: "amber",
    title: "Its worker has fallen silent",
    moves: "The lease has ended: another worker takes it over within seconds, under a new epoch.",
    link: WORKERS,
  },
  stopping_worker: {
    tone: "gray",
    title: "Its worker is stopping",
    moves: "The worker lets the step in flight finish, or hands the run back; another one goes on with it.",
    link: WORKERS,
  },
  intake: {
    tone: "amber",
    title: "The intake of its workflow is closed",
    moves: "Opening the intake moves it.",
    link: WORKFLOWS,
  },
  queue: {
    tone: "gray",
    title: "It waits for its turn",
    moves: "The end of a run before it moves it, or another limit.",
    link: WORKFLOWS,
  },
  timer: {
    tone: "violet",
    title: "It sleeps",
    moves: "The timer moves it, by the database's clock. Nothing has to be done.",
    act: { act: "wake", label: "Wake it…" },
  },
  retry: {
    tone: "amber",
    title: "It will try again",
    moves: "The next attempt comes by itself, with the same idempotency key.",
    act: { act: "wake", label: "Try now…" },
  },
  event: {
    tone: "violet",
    title: "It waits for an event",
    moves: "The event moves it, when somebody sends it.",
    act: { act: "send_event", label: "Send the event…" },
  },
  child: {
    tone: "violet",
    title: "It waits for another run",
    moves: "The end of the other run moves it.",
    link: { text: "Open that run", to: childOf },
  },
  slot: { tone: "gray", title: "It waits for a free slot", moves: "The end of another run of its queue moves it." },
  approval: {
    tone: "red",
    title: "It waits for an answer",
    moves: "A person's answer moves it.",
    act: { act: "answer", label: "Answer…" },
  },
  operator: {
    tone: "red",
    title: "It waits for a person",
    moves: "Saying what became of the step moves it: look at the receiver, with the step's key.",
    act: { act: "settle", label: "Settle it…" },
  },
  undo: {
    tone: "red",
    title: "An undo needs a person",
    moves: "Marking it compensated, waiving it or trying it again moves it.",
    act: { act: "mark_compensated", label: "Settle the undo…" },
  },
  operation: {
    tone: "violet",
    title: "Its operation is paused",
    moves: "Resuming the operation moves it; a canary that failed pauses it, too.",
    link: { text: "Open the operation", to: operationOf },
  },
  later: {
    tone: "gray",
    title: "It starts later",
    moves: "Its time moves it, by the database's clock.",
    act: { act: "wake", label: "Start now…" },
  },
  free_worker: { tone: "gray", title: "It waits for a worker", moves: "The next free worker takes it up." },
  cancelling: { tone: "amber", title: "Cancelling", moves: "The worker lets the step in flight finish." },
  pausing: {
    tone: "amber",
    title: "Pausing",
    moves: "The worker lets the step in flight finish.",
    act: { act: "resume", label: "Take it back…" },
  },
  paused: {
    tone: "gray",
    title: "It is paused",
    moves: "Resume moves it; no timer does.",
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
