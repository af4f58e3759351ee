import { closed, type Openness, open, type RunFacts, type StepFacts } from "../engine/runs/operator-acts";
import { isWaitKind } from "../engine/steps/step";
import { type Action, type Fields, onRuns, type ParamsOf, type Words } from "./action";

const params = ({ stepName }: Fields) => ({
  /** Without a step, all timers of the run. */
  step: stepName.optional(),
});
type Params = ParamsOf<typeof params>;

/** End a wait for a timer now: a sleep, a retry delay, or a delayed start. */
export function mayWake(run: RunFacts, stepName?: string): Openness {
  if (stepName === undefined && run.startsLater) return open;
  if (run.status === "running") return closed("A worker is executing the run, with its timers. Wait until it stops.");
  if (run.status === "paused") return closed("The run is paused: its timers do not fire. Resume it first.");
  if (run.status !== "waiting") return closed("The run does not wait for a timer.");
  const timed = run.steps.filter(waitsForTimer);
  if (stepName === undefined) return timed.length > 0 ? open : closed("The run does not wait for a timer.");
  return timed.some(({ name }) => name === stepName) ? open : closed("This step does not wait for a timer.");
}

/** Other waits end by external events, and cannot be ended early. */
const waitsForTimer = ({ status, kind }: StepFacts) => status === "waiting" && (kind === "sleep" || !isWaitKind(kind));

export const wakeWords = {
  icon: "clock",
  button: (run) => (run.status === "pending" ? "Start it now…" : "Wake now…"),
  does: "Continues as if the time had come.",
  did: "woke",
  tried: "wake",
  name: "Wake",
  plan: {
    verb: () => "Wake",
    reason: "The customer asked for it today",
    happens: onRuns("continue now", "continues now"),
  },
} satisfies Words;

export const wake = {
  rule: (run, { step }) => mayWake(run, step),
  params,
  plan: {
    fourEyes: { wake: "Ending a wait" },
    about: ({ steps }, { step }) => steps.filter((one) => waitsForTimer(one) && (step ?? one.name) === one.name),
    decided: ({ included, about }) => ({ included, about }),
  },
  command: ({ wakeRun }, { runId, params: { step } }) => ({ step, change: (tx) => wakeRun(tx, runId, step) }),
} satisfies Action<Params>;
