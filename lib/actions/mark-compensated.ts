import { closed, type Openness, open, type RunFacts, type StepFacts, stepNamed } from "../engine/runs/operator-acts";
import { type Action, chooseOne, type Fields, onRuns, type ParamsOf, type Words } from "./action";

const params = ({ z, plainText, stepName, link }: Fields) => ({
  outcome: z.enum(["compensated", "waived"]),
  /** Default: the only step that owes its compensation. */
  step: stepName.optional(),
  reference: plainText.trim().min(1).max(500).optional(),
  /** A link to the evidence, such as a ticket. */
  evidence: link.optional(),
});
type Params = ParamsOf<typeof params>;

/** Record that a person compensated a step manually, or that no compensation is due. */
export function mayMarkCompensated(run: RunFacts, stepName: string): Openness {
  const step = stepNamed(run, stepName);
  if (!step) return closed("The run has no step of this name.");
  if (run.status !== "compensating")
    return closed(
      run.status === "compensated"
        ? "All compensations of this run are already resolved."
        : "The run is not being compensated. Compensate it first.",
    );
  switch (step.compensationStatus) {
    case "owed":
    case "failed":
      return open;
    case "running":
      return closed("The worker is running this compensation now. Wait for its outcome.");
    case "none":
      return closed("This step has no open compensation.");
    default:
      return closed(`This compensation is already resolved (${step.compensationStatus}).`);
  }
}

const NONE_OWED = "This run has no open compensation.";

const about = <Step extends StepFacts>({ steps }: { steps: readonly Step[] }, { step }: Params): Step[] =>
  steps.filter(({ name, compensationStatus: status }) =>
    step === undefined ? status === "owed" || status === "failed" : name === step,
  );

export const markCompensatedWords = {
  icon: "person",
  button: () => "Mark compensated…",
  does: "Records the outcome of a compensation.",
  did: "resolved the compensation of",
  tried: "resolve the compensation of",
  name: "Resolve a compensation",
  plan: {
    // Waiving a compensation differs from reporting it done.
    verb: ({ outcome }) => (outcome === "waived" ? "Waive a compensation of" : "Mark compensated"),
    reason: "Refunded in the gateway's console",
    happens: onRuns("have a compensation recorded", "has a compensation recorded"),
  },
} satisfies Words;

export const markCompensated = {
  rule: (run, given) =>
    given.step === undefined
      ? chooseOne(about(run, given), NONE_OWED, ({ name }) => mayMarkCompensated(run, name))
      : mayMarkCompensated(run, given.step),
  offered: (run) => {
    const [owed] = about(run, { outcome: "compensated" });
    return owed ? mayMarkCompensated(run, owed.name) : closed(NONE_OWED);
  },
  params,
  plan: {
    fourEyes: { mark_compensated: "Marking as compensated", waive: "Waiving a compensation" },
    countsAs: ({ outcome }) => [outcome === "waived" ? "waive" : "mark_compensated"],
    about,
    decided: ({ included, about: steps }) => ({ included, about: steps }),
    isDone: (_, { outcome }, seen) =>
      seen.about.every((step) => step?.compensationStatus === (outcome === "waived" ? "waived" : "completed")),
  },
  command: (tools, { runId, params: chosen, candidate = "", reason: note, by }) => {
    const { outcome, step = candidate, reference = null, evidence = null } = chosen;
    return {
      step,
      details: { outcome, ...(reference !== null && { reference }), ...(evidence !== null && { evidence }) },
      change: async (tx) => {
        const status = outcome === "waived" ? "waived" : "completed";
        await tools.recordCompensation(tx, runId, step, { status, by, note, reference, evidence });
        await tools.settleCompensations(tx, runId);
      },
    };
  },
} satisfies Action<Params>;
