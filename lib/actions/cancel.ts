import type { CancelSplit, PlanFacts, PlannedStepFacts } from "../engine/operations/plan";
import { closed, type Openness, open, type RunFacts } from "../engine/runs/operator-acts";
import { formatCount } from "../format";
import { type Action, countedRuns, type Words, withParent } from "./action";

/** End the run without finishing its work. A running body gets its signal aborted and its outcome is still recorded. */
export function mayCancel(run: Pick<RunFacts, "status" | "cancelRequested">): Openness {
  // The request of one that lost its worker waits for another, and none may have its code: such a run ends at once.
  if (run.cancelRequested && run.status === "running")
    return closed("A cancel was already requested; the worker lets the step in flight finish first.");
  switch (run.status) {
    case "pending":
    case "running":
    case "waiting":
    case "paused":
      return open;
    case "compensating":
      return closed("The run is being compensated: cancelling now would leave its effects partly compensated.");
    default:
      return closed(`The run has ended (${run.status}).`);
  }
}

export const cancelWords = {
  icon: "stop",
  button: () => "Cancel the run…",
  does: "Ends it without finishing its work.",
  did: "cancelled",
  tried: "cancel",
  name: "Cancel",
  plan: {
    verb: () => "Cancel",
    reason: "Ordered twice by mistake",
    note: "They end without finishing. Completed effects are kept.",
    bulk: {},
    happens: ({ included, split }) => [
      ...countedRuns(included, "end without finishing", "ends without finishing"),
      ...countedRuns(split?.clean ?? 0, "have no completed effects", "has no completed effects"),
      ...countedRuns(split?.owes_compensation ?? 0, "need compensation", "needs compensation"),
      ...(split && split.past_undoing > 0 ? [`${formatCount(split.past_undoing)} cannot be fully compensated`] : []),
    ],
    wordToType: (_, { split }) => (split !== null && split.past_undoing > 0 ? "cancel" : null),
  },
} satisfies Words;

/** What its descendants have done, which end with it, is left behind as well. */
function splitOf(effects: readonly PlannedStepFacts[], { splitBelow }: PlanFacts): CancelSplit {
  if (effects.some(({ compensationMode }) => compensationMode === "none")) return "past_undoing";
  return splitBelow === "clean" && effects.length > 0 ? "owes_compensation" : splitBelow;
}

/**
 * Ends a run without a worker at once; asks the worker of any other run to end it. Its descendants that end with it are
 * cancelled by the same action.
 */
export const cancel = {
  rule: mayCancel,
  params: () => ({}),
  plan: {
    fourEyes: { cancel: "A cancel" },
    // A child that is cancelled by itself fails its parent, which may then compensate; its parent's cancel takes it along.
    oldestFirst: true,
    reads: () => ({ splitBelow: true }),
    split: splitOf,
    // Steps that a worker completes meanwhile do not invalidate a cancel, unless it costs more.
    decided: ({ included, split, owed }) => ({ included, split, owedCount: owed.count }),
    isDone: ({ cancelRequested, status }) => (cancelRequested && status === "running") || status === "cancelled",
  },
  command: ({ cancelRun, cancelChildren }, { runId, reason }) => ({
    change: async (tx) => {
      await cancelRun(tx, runId);
      return withParent(await cancelChildren(tx, runId), `Its parent was cancelled: ${reason}`);
    },
  }),
} satisfies Action;
