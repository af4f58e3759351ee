import { HandrailError } from "../engine/errors";
import { closed, type IN_MOTION, type Openness, open, type RunFacts } from "../engine/runs/operator-acts";
import { hasEnded } from "../engine/runs/run";
import type { KeptBecause } from "../store/runs/delete-run";
import { type Action, onRuns, type Words } from "./action";

/** Delete an ended run with its descendants and all of their rows, before its retention does. The audit log stays. */
export function mayDelete(run: RunFacts): Openness {
  if (!hasEnded(run.status)) return closed(NOT_ENDED[run.status] ?? "The run has not ended. Cancel it first.");
  if (run.parentRunId !== null)
    return closed(`The run is a child of ${run.parentRunId}, and is deleted with it. Delete that run.`);
  return isSettled(run);
}

const NOT_ENDED: typeof IN_MOTION = {
  running: "The run is being worked on. Cancel it, and wait for its end.",
  compensating: "The run is being compensated. Wait for its end, or record its compensations.",
};

/** Nothing about the run is left for a person to decide, who would need its data. */
export function isSettled({ steps }: RunFacts): Openness {
  if (steps.some(({ status }) => status === "unknown"))
    return closed("A step has an unknown outcome. Resolve it first.");
  return steps.some(
    ({ compensationStatus: status }) => status === "owed" || status === "running" || status === "failed",
  )
    ? closed("A compensation has no outcome. Mark it compensated, or waive it, first.")
    : open;
}

export const deleteWords = {
  icon: "trash",
  button: () => "Delete the run…",
  does: "Deletes it with its child runs and all of their data.",
  did: "deleted",
  tried: "delete",
  name: "Delete",
  plan: {
    verb: () => "Delete",
    reason: "It holds a test with real data",
    happens: onRuns(
      "are deleted with their child runs, and cannot be restored",
      "is deleted with its child runs, and cannot be restored",
    ),
    wordToType: (_, { included }) => (included > 0 ? "delete" : null),
  },
} satisfies Words;

const KEPT: Record<KeptBecause, (which: string) => string> = {
  open: (which) => `${which} has not ended. Cancel it first.`,
  attention: (which) => `${which} waits for a person: resolve its unknown outcomes and compensations first.`,
  uncounted: (which) => `${which} ended just now, and the charts have not counted it yet. Try again in a minute.`,
  rate: (which) =>
    `${which} still counts towards the rate limit of its workflow: without it, more runs would begin. Try again when that period is over.`,
  held: (which) => `${which} is being changed at this moment. Try again.`,
};

export const deleteRun = {
  rule: mayDelete,
  params: () => ({}),
  plan: {
    fourEyes: { delete: "Deleting a run" },
    decided: ({ included }) => ({ included }),
  },
  command: (tools, { runId, reason }) => {
    const details: { runs?: number } = {};
    return {
      details,
      change: async (tx) => {
        const done = await tools.deleteRun(tx, runId);
        if ("kept" in done) {
          const { runId: kept, because } = done.kept;
          const which = kept === runId ? "The run" : `Its descendant ${kept}`;
          throw new HandrailError("not_allowed", KEPT[because](which), { runId: kept });
        }
        details.runs = done.deleted.length;
        return done.deleted
          .filter(({ id }) => id !== runId)
          .map(({ id, workflow, status }) => ({
            runId: id,
            workflow,
            reason: `Deleted with its ancestor ${runId}: ${reason}`,
            before: { status },
            after: { deleted: true },
          }));
      },
    };
  },
} satisfies Action;
