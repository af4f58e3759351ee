import { closed, type Openness, open, type RunFacts } from "../engine/runs/operator-acts";
import { type Action, type Fields, onRuns, type ParamsOf, type Words, withParent } from "./action";

const params = ({ z }: Fields) => ({
  /** Also its child runs, and theirs. Default: the run alone. */
  children: z.boolean().optional(),
});
type Params = ParamsOf<typeof params>;

/** Hold the run: a running body finishes and is recorded, nothing after it begins, and no timer of it fires. */
export function mayPause(run: RunFacts): Openness {
  if (run.cancelRequested) return closed("The run is being cancelled.");
  switch (run.status) {
    case "pending":
    case "waiting":
      return open;
    case "running":
      return run.pauseRequested
        ? closed("A pause was already requested; the worker lets the step in flight finish first.")
        : open;
    case "paused":
      return closed("The run is already paused.");
    case "compensating":
      return closed("The run is being compensated: pausing now would leave its effects partly compensated.");
    default:
      return closed(`The run has ended (${run.status}).`);
  }
}

export const pauseWords = {
  icon: "pause",
  button: () => "Pause the run…",
  does: "Lets the step in flight finish, then pauses.",
  did: "paused",
  tried: "pause",
  name: "Pause",
  plan: {
    verb: () => "Pause",
    reason: "The provider is being moved",
    note: "Steps in flight finish; no further steps start.",
    bulk: {},
    happens: onRuns("pause after the step in flight", "pauses after the step in flight"),
  },
} satisfies Words;

/** A run without a worker pauses at once; the worker of any other run finishes what is in flight first. */
export const pause = {
  rule: mayPause,
  params,
  plan: {
    fourEyes: { pause: "A pause" },
    decided: ({ included }) => ({ included }),
    // Whether its children are paused, too, is not known here.
    isDone: (run, { children }) => !children && (run.pauseRequested || run.status === "paused"),
  },
  command: ({ pauseRun, pauseChildren }, { runId, params: { children = false }, reason }) => ({
    ...(children && { details: { children } }),
    change: async (tx) => {
      await pauseRun(tx, runId, children ? runId : null);
      if (!children) return;
      return withParent(await pauseChildren(tx, { runId, root: runId }), `Paused with its parent: ${reason}`);
    },
  }),
} satisfies Action<Params>;
