import { closed, type Openness, open, type RunFacts } from "../engine/runs/operator-acts";
import { type Action, onRuns, type Words, withParent } from "./action";

/** Let a paused run go on, or withdraw a pause request. */
export const mayResume = (run: RunFacts): Openness => (run.pauseRequested ? open : closed("The run is not paused."));

export const resumeWords = {
  icon: "play",
  button: (run) => (run.status === "running" ? "Cancel the pause…" : "Resume the run…"),
  does: "Continues where it stopped.",
  did: "resumed",
  tried: "resume",
  name: "Resume",
  plan: {
    verb: () => "Resume",
    reason: "The provider is back",
    note: "Paused runs continue where they stopped.",
    bulk: {},
    happens: onRuns("continue where they stopped", "continues where it stopped"),
  },
} satisfies Words;

/** With its timers unchanged, and with the descendants that the same pause holds. */
export const resume = {
  rule: mayResume,
  params: () => ({}),
  plan: {
    fourEyes: { resume: "A resume" },
    decided: ({ included }) => ({ included }),
    isDone: (run) => !run.pauseRequested && run.status !== "paused",
  },
  command: ({ resumeRun, resumeChildren }, { runId, reason }) => ({
    change: async (tx, { run: { pause_root: root } }) => {
      await resumeRun(tx, runId);
      if (root === null) return;
      return withParent(await resumeChildren(tx, { runId, root }), `Resumed with its parent: ${reason}`);
    },
  }),
} satisfies Action;
