import type { RunListItem } from "@/lib/api/contract/run";

interface NowAt {
  step: string | null;
  note: string;
  /** When the note counts down to an instant. */
  until: string | null;
}

const NOTHING: NowAt = { step: null, note: "", until: null };

/** The run's current position, in a few words; nothing for a run that ended well. */
export function nowAt(run: RunListItem): NowAt {
  if (run.attention === "outcome_unknown") return { step: stepWith(run, "unknown"), note: "answer lost", until: null };
  if (run.heldBy && run.status === "pending") return { step: null, note: "new runs paused", until: null };
  switch (run.status) {
    case "failed":
      return { step: run.failedStep, note: run.error ? (run.error.code ?? run.error.name) : "", until: null };
    case "waiting":
      return waiting(run);
    case "running":
      return { step: stepWith(run, "running") ?? null, note: attemptNote(run), until: null };
    case "compensating":
      return { step: null, note: run.attention === null ? "compensating" : "compensation needs action", until: null };
    default:
      return NOTHING;
  }
}

const WAIT_NOTES = {
  timer: "",
  retry: "",
  event: "for an event",
  child: "for its child",
  slot: "for a free slot",
  permit: "for a permit",
  blob: "for the blob store",
  approval: "for an answer",
  operator: "for manual action",
} as const;

function waiting(run: RunListItem): NowAt {
  const wait = run.waitingFor;
  if (!wait) return NOTHING;
  const note = wait.kind === "retry" ? attemptNote(run) : WAIT_NOTES[wait.kind];
  return { step: wait.step, note, until: wait.until };
}

function stepWith(run: RunListItem, status: string): string | null {
  return run.stepBar.find((step) => step.status === status)?.name ?? run.waitingFor?.step ?? null;
}

const currentStep = (run: RunListItem) =>
  run.stepBar.find(({ status }) => status === "waiting" || status === "running");

function attemptNote(run: RunListItem): string {
  const step = currentStep(run);
  return step && step.attempt > 1 && step.maxAttempts > 1 ? `attempt ${step.attempt} of ${step.maxAttempts}` : "";
}

/** Of the current step, or of the failed one. */
export function attemptOf(run: RunListItem): string | null {
  const step = currentStep(run) ?? run.stepBar.find(({ name }) => name === run.failedStep);
  return step && step.attempt > 0 ? `${step.attempt} of ${step.maxAttempts}` : null;
}

/** The wall time of a run: from its first claim to its end, or still counting. */
export function tookOf(run: RunListItem): { from: string; to: string | null } | null {
  return run.startedAt === null ? null : { from: run.startedAt, to: run.finishedAt };
}
