import { closed, type Openness, open, type RunFacts, type StepFacts, stepNamed } from "../engine/runs/operator-acts";
import { hasEnded } from "../engine/runs/run";
import type { GivenOutcome } from "../store/runs/rerun";
import {
  type Action,
  chooseOne,
  type Fields,
  type Given,
  mayTakeKey,
  onRuns,
  type ParamsOf,
  type Tools,
  type Words,
} from "./action";

export const RESOLUTIONS = ["happened", "did_not_happen", "ask", "skip"] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

const params = ({ z, plainText, stepName, json }: Fields) => ({
  outcome: z.enum(RESOLUTIONS),
  /** Default: the only step of unknown outcome; asking concerns all of them. */
  step: stepName.optional(),
  /** For a step that happened. Absent: the step returned undefined. */
  output: json.optional(),
  /** The provider's id of the effect. */
  reference: plainText.trim().min(1).max(500).optional(),
});
type Params = ParamsOf<typeof params>;

/** Resolve a step of unknown outcome; or skip a failed one. */
export function maySettle(run: RunFacts, stepName: string, outcome: Resolution): Openness {
  const step = stepNamed(run, stepName);
  if (!step) return closed("The run has no step of this name.");
  if (run.status === "compensating" || run.status === "compensated")
    return closed("The run is being or was compensated: its steps cannot be changed.");
  if (outcome === "ask" && !step.canAsk)
    return closed("This step's code cannot check with the provider. Look up the idempotency key there yourself.");
  if (outcome === "ask" && run.status === "paused")
    return closed(
      "The run is paused, so its code cannot check with the provider. Resume it first, or check the provider yourself.",
    );
  if (outcome === "ask" && run.status !== "waiting")
    return closed(
      "The run has ended, so its code cannot check with the provider. Look up the idempotency key there yourself.",
    );
  if (step.status === "unknown") {
    return run.status === "waiting" || run.status === "paused" || hasEnded(run.status)
      ? open
      : closed("A worker is executing the run. Wait until it stops.");
  }
  const failedForGood = step.status === "failed" && run.status === "failed";
  if (failedForGood && (outcome === "skip" || outcome === "happened")) return mayTakeKey(run);
  if (step.status === "failed") return closed("The step has failed: rerun it, skip it, or set its output.");
  return closed(`Only a step of unknown outcome is resolved; this one is ${step.status}.`);
}

const NONE_UNKNOWN = "No step of this run has an unknown outcome.";

function about<Step extends StepFacts>(
  { steps, failedStep }: { steps: readonly Step[]; failedStep: string | null },
  { step, outcome }: Params,
): Step[] {
  if (step !== undefined) return steps.filter(({ name }) => name === step);
  const unknown = steps.filter(({ status }) => status === "unknown");
  const supplies = outcome === "skip" || outcome === "happened";
  return unknown.length === 0 && supplies ? steps.filter(({ name }) => name === failedStep) : unknown;
}

export const settleWords = {
  icon: "question",
  button: (run) =>
    run.attention === "outcome_unknown" ? "Resolve the unknown step…" : "Skip or resolve the failed step…",
  does: "Records the outcome of a step.",
  did: "resolved",
  tried: "resolve",
  name: "Resolve",
  plan: {
    verb: () => "Resolve",
    reason: "Found the charge in the gateway's list",
    note: "Looks up each unknown step at the provider, where its code can.",
    bulk: { outcome: "ask" },
    happens: onRuns("have their unknown steps resolved", "has its unknown steps resolved"),
  },
} satisfies Words;

function givenOutcome(
  { encodeGiven, encodeValue }: Tools,
  step: string,
  { outcome, output, ...given }: Params,
): GivenOutcome {
  const reference = given.reference ?? null;
  if (outcome === "skip") return { status: "skipped", output: encodeValue(undefined), reference };
  const text = output === undefined ? encodeValue(undefined) : encodeGiven(output, `output of step "${step}"`);
  return { status: "completed", output: text, reference };
}

/** @throws HandrailError `invalid_input` for an output that cannot be stored */
function command(tools: Tools, { runId, params: chosen, candidate = "" }: Given<Params>) {
  const { outcome, step = candidate, reference } = chosen;
  const given = givenOutcome(tools, step, chosen);
  return {
    step,
    details: { outcome, ...(reference !== undefined && { reference }) },
    change: async (tx, { run, steps }) => {
      const { status, generation = 0 } = steps.find(({ name }) => name === step) ?? {};
      if (status === "failed") return tools.supplyFailedStep(tx, [runId, "step", step, run.generation + 1], given);
      if (outcome === "did_not_happen") await tools.repeatUnknownStep(tx, runId, step);
      // Its code asks the provider when a worker claims the run again; until then the step stays unknown.
      else if (outcome !== "ask") await tools.endUnknownStep(tx, [runId, "step", step, generation], given);
      await tools.goOnAfterSettling(tx, runId, { asking: outcome === "ask" });
    },
  } satisfies ReturnType<Action["command"]>;
}

export const settle = {
  rule: (run, given) => {
    const { step, outcome } = given;
    if (step !== undefined) return maySettle(run, step, outcome);
    const steps = about(run, given);
    const [unknown] = outcome === "ask" ? steps.toSorted((a, b) => Number(b.canAsk) - Number(a.canAsk)) : [];
    return chooseOne(unknown ? [unknown] : steps, NONE_UNKNOWN, ({ name }) => maySettle(run, name, outcome));
  },
  offered: (run) => {
    const step =
      run.steps.find(({ status }) => status === "unknown") ?? run.steps.find((one) => one.status === "failed");
    return step ? maySettle(run, step.name, "happened") : closed(NONE_UNKNOWN);
  },
  params,
  plan: {
    fourEyes: { settle: "Resolving a step", skip: "Skipping a step" },
    countsAs: ({ outcome }) => (outcome === "skip" ? ["settle", "skip"] : ["settle"]),
    about,
    again: (run, given) => {
      const [step] = about(run, given);
      if (given.outcome === "did_not_happen") return step ? [step] : [];
      // Resolving a failed step also reruns the other failed steps.
      return run.steps.filter(
        (other) =>
          step?.status === "failed" && other !== step && other.status === "failed" && other.position >= step.position,
      );
    },
    decided: ({ included, about: steps, again, repeats }) => ({ included, about: steps, again, repeats }),
    // Only what was chosen: the opposite is not done.
    isDone: (_, { outcome }, seen) =>
      outcome !== "did_not_happen" &&
      seen.about.every((step) => step?.status === (outcome === "skip" ? "skipped" : "completed")),
    complete: ({ checkGiven }, given) => {
      if (given.output !== undefined) checkGiven(given.output, "output");
      return given;
    },
  },
  command,
} satisfies Action<Params>;
