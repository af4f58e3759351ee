import { HandrailError } from "../engine/errors";
import { closed, type Openness, type RunFacts } from "../engine/runs/operator-acts";
import { hasEnded } from "../engine/runs/run";
import type { UnerasedBecause } from "../store/privacy/erase-run";
import { type Action, onRuns, type Words } from "./action";
import { isSettled } from "./delete";

/** Replace the data of an ended run and its descendants by markers; names, keys, times and the audit log stay. */
export function mayErase(run: RunFacts): Openness {
  if (run.erased) return closed("The run's data was erased already.");
  if (!hasEnded(run.status))
    return closed("The run has not ended, and needs its data. Cancel it, or wait for its end; then erase again.");
  return isSettled(run);
}

export const eraseWords = {
  icon: "trash",
  button: () => "Erase the run's data…",
  does: "Replaces inputs, outputs, errors, log lines and notes by a marker; steps, keys and times stay.",
  did: "erased the data of",
  tried: "erase the data of",
  name: "Erase data",
  plan: {
    verb: () => "Erase the data of",
    reason: "Request 2026-114 of a customer",
    happens: onRuns(
      "and their child runs have their data erased, and it cannot be restored",
      "and its child runs have their data erased, and it cannot be restored",
    ),
    wordToType: (_, { included }) => (included > 0 ? "erase" : null),
  },
} satisfies Words;

const UNERASED: Record<UnerasedBecause, (which: string) => string> = {
  open: (which) => `${which} has not ended, and needs its data. Cancel it, or wait for its end; then erase again.`,
  parent: () => "The run's parent has not ended, and reads what this run returned. Wait for its end; then erase again.",
  ancestor: () =>
    "An ancestor of the run has not ended, and may read what this run returned. Wait for its end; then erase again.",
  attention: (which) => `${which} waits for a person: resolve its unknown outcomes and compensations first.`,
  held: (which) => `${which} is being changed at this moment. Try again.`,
};

export const erase = {
  rule: mayErase,
  params: () => ({}),
  plan: {
    fourEyes: { erase: "Erasing data" },
    forgets: true,
    decided: ({ included }) => ({ included }),
    isDone: ({ erased }) => erased,
  },
  command: (tools, { runId, reason }) => {
    const details: { runs?: number } = {};
    return {
      details,
      change: async (tx) => {
        const done = await tools.eraseRun(tx, runId);
        if ("unerased" in done) {
          const { runId: other, because } = done.unerased;
          const which = other === runId ? "The run" : `Its descendant ${other}`;
          throw new HandrailError("not_allowed", UNERASED[because](which), { runId: other });
        }
        details.runs = done.erased.length;
        return done.erased
          .filter(({ id }) => id !== runId)
          .map(({ id, workflow, status }) => ({
            runId: id,
            workflow,
            reason: `Erased with its ancestor ${runId}: ${reason}`,
            before: { status },
            after: { status, erased: true },
          }));
      },
    };
  },
} satisfies Action;
