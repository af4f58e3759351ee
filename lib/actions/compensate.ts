import { closed, IN_MOTION, type Openness, open, owesCompensation, type RunFacts } from "../engine/runs/operator-acts";
import { formatCount, plural } from "../format";
import { type Action, mayTakeKey, type Words } from "./action";

const hasFailed = ({ steps }: RunFacts) => steps.some(({ compensationStatus }) => compensationStatus === "failed");

/** Compensate the run's effects, in reverse order of completion. */
export function mayCompensate(run: RunFacts): Openness {
  const moving = IN_MOTION[run.status];
  if (moving) return closed(moving);
  if (run.status === "compensated") return closed("All compensations of this run are already resolved.");
  if (run.status === "compensating") return hasFailed(run) ? open : closed("The compensations are under way.");
  if (run.steps.some((step) => step.status === "unknown"))
    return closed("A step has an unknown outcome. Resolve it first: it is not known whether it needs compensation.");
  if (run.status === "waiting") return closed("The run has not ended. Cancel it first.");
  return run.steps.some(owesCompensation)
    ? mayTakeKey(run)
    : closed("No completed step of this run declares a compensation.");
}

export const compensateWords = {
  icon: "undo",
  button: (run) => (run.status === "compensating" ? "Retry failed compensations…" : "Compensate…"),
  does: "Compensates the run, last step first.",
  did: "requested compensation of",
  tried: "compensate",
  name: "Compensate",
  plan: {
    verb: () => "Compensate",
    reason: "The customer withdrew the order",
    note: "Compensates their steps, last step first.",
    bulk: {},
    happens: ({ included, owed }) =>
      included > 0
        ? [
            `${formatCount(included)} ${included === 1 ? "has" : "have"} ${plural(owed, "step")} compensated, last one first`,
          ]
        : [],
  },
} satisfies Words;

/** In reverse order of completion; in a run that is compensating, retries the failed compensations. */
export const compensate = {
  rule: mayCompensate,
  params: () => ({}),
  plan: {
    fourEyes: { compensate: "Compensating" },
    decided: ({ included, owed }) => ({ included, owed }),
    isDone: (run) => run.status === "compensated" || (run.status === "compensating" && !hasFailed(run)),
  },
  command: ({ retryFailedCompensations, oweCompensations, settleCompensations }, { runId }) => ({
    change: async (tx, { run }) => {
      if (run.status === "compensating") await retryFailedCompensations(tx, runId);
      else await oweCompensations(tx, runId);
      await settleCompensations(tx, runId);
    },
  }),
} satisfies Action;
