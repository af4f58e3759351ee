import { HandrailError } from "../engine/errors";
import type { PlanFacts, PlannedStepFacts } from "../engine/operations/plan";
import {
  closed,
  IN_MOTION,
  isRepeatable,
  type Openness,
  open,
  type RunFacts,
  type StepFacts,
  unless,
} from "../engine/runs/operator-acts";
import { formatCount } from "../format";
import type { Db } from "../store/db";
import { type Action, countedRuns, type Fields, mayTakeKey, type ParamsOf, type Tools, type Words } from "./action";

/**
 * What a rerun from a step supersedes: `after`, everything with a later position; `branch`, only what began after the
 * code received the step's first outcome, so that parallel branches stay.
 */
const RERUN_SCOPES = ["after", "branch"] as const;

const params = ({ z, stepName }: Fields) => ({
  /** Runs this step and everything after it again; without it, the failed steps. */
  fromStep: stepName.optional(),
  /** `after`, the default: every step met after `fromStep`; `branch`: what began before its first outcome stays. */
  scope: z.enum(RERUN_SCOPES).optional(),
  /** New idempotency keys: the provider then treats the calls as new ones. Default false. */
  freshKeys: z.boolean().optional(),
  /** Continues with exactly this version of the code; a live worker must have it. */
  version: z.int().min(1).max(2_147_483_647).optional(),
});
type Params = ParamsOf<typeof params>;

/** Run again from a step on, in the same run: earlier steps keep their results. */
export function mayRerun(run: RunFacts, { fromStep, scope, freshKeys = false }: Params = {}): Openness {
  if (scope === "branch" && fromStep === undefined)
    return closed("Choose the step whose branch is to run again. Without one, only the failed steps do.");
  const moving = IN_MOTION[run.status];
  if (moving) return closed(moving);
  if (run.status === "compensating") return closed("The run is being compensated and cannot be rerun.");
  if (run.status === "compensated") return closed("The run was compensated. Start a new run instead.");
  const unknown = run.steps.filter((step) => step.status === "unknown");
  if (!unknown.every(isRepeatable))
    return closed("A step has an unknown outcome. Resolve it first: a rerun could repeat its effect.");
  if (freshKeys && run.steps.some(mayHaveHappened))
    return closed(
      "A step may have happened, and with a fresh key it could happen twice. Rerun with the same keys, or wait until its outcome is known.",
    );
  if (run.steps.some(({ compensationStatus: status }) => status === "completed" || status === "running"))
    return closed("A step of this run was already compensated. Start a new run instead.");
  if (fromStep !== undefined)
    return run.steps.some((step) => step.name === fromStep)
      ? mayTakeKey(run)
      : closed("The run has no step of this name to rerun from.");
  if (run.status === "completed") return closed("The run completed: no step failed. Choose the step to rerun from.");
  if (run.status === "waiting" && unknown.length === 0)
    return closed("No step failed; the run continues by itself. Choose the step to rerun from.");
  return mayTakeKey(run);
}

/** An attempt may have had its effect, and none has an outcome. */
const mayHaveHappened = (step: StepFacts) => step.inDoubt || step.status === "unknown";

/** Steps that the plan's sentence names; further ones are counted. */
export const NAMED_STEPS = 3;

export const rerunWords = {
  icon: "again",
  button: (run) => {
    if (run.status === "failed" && run.failedStep) return `Rerun from ${run.failedStep}…`;
    return run.steps.some(isRepeatable) ? "Rerun with the same key…" : "Rerun from a step…";
  },
  does: "Runs again in the same run; earlier results and keys are kept.",
  did: "reran",
  tried: "rerun",
  name: "Rerun",
  plan: {
    verb: () => "Rerun",
    reason: "The gateway is back",
    note: "From the step that failed, in the same run: earlier results and keys are kept.",
    bulk: {},
    happens: ({ again: [most, ...others], goOn }) => {
      const rest = others.reduce((sum, { count }) => sum + count, 0);
      return [
        ...(most ? [`${formatCount(most.count)} rerun from ${most.name}, earlier results kept`] : []),
        ...(others.length < NAMED_STEPS ? others.map((one) => `${formatCount(one.count)} from ${one.name}`) : []),
        ...(others.length >= NAMED_STEPS ? [`${formatCount(rest)} from other steps`] : []),
        ...countedRuns(goOn, "continue after their last step", "continues after its last step"),
      ];
    },
    besides: ({ freshKeys }) =>
      freshKeys === true ? "providers see new idempotency keys" : "idempotency keys are kept",
    wordToType: ({ freshKeys }) => (freshKeys === true ? "fresh keys" : null),
  },
} satisfies Words;

/** A run can go on with a version of its workflow only if a live worker has it. */
export function mayGoOnWith(version: number, workflow: string, live: readonly number[]): Openness {
  if (live.includes(version)) return open;
  const versions = live.length === 1 ? `version ${live[0]}` : `versions ${live.join(", ")}`;
  const there = live.length === 0 ? "No live worker has this workflow" : `Live workers have ${versions}`;
  return closed(`No live worker has that version of "${workflow}". ${there}.`);
}

/** @throws HandrailError `not_allowed` if no live worker could run it */
export async function checkVersion({ liveVersions }: Tools, tx: Db, workflow: string, version: number): Promise<void> {
  const live = await liveVersions(tx, workflow);
  const openness = mayGoOnWith(version, workflow, live);
  if (!openness.open) throw new HandrailError("not_allowed", openness.because, { live });
}

/** A step and those with a later position, or that began after its first outcome; or the failed steps. */
function chosenSteps(run: PlanFacts, { fromStep, scope }: Params): PlannedStepFacts[] {
  const from = run.steps.find(({ name }) => name === (fromStep ?? run.failedStep));
  if (!from) return [];
  const after = run.steps.filter(({ position }) => position >= from.position);
  if (fromStep === undefined) return after.filter(({ status }) => status === "failed");
  if (scope !== "branch") return after;
  const { firstOutcomeAt } = from;
  return after.filter((step) => step === from || (firstOutcomeAt !== null && step.beganAt >= firstOutcomeAt));
}

/** In the same run, in a new repair generation; every earlier result is kept. */
export const rerun = {
  rule: mayRerun,
  params,
  plan: {
    fourEyes: { rerun: "A rerun", rerun_with_fresh_keys: "A rerun with fresh keys" },
    countsAs: ({ freshKeys, version }) => [
      "rerun",
      ...(freshKeys === true ? (["rerun_with_fresh_keys"] as const) : []),
      ...(version !== undefined ? (["move"] as const) : []),
    ],
    needs: ({ workflow, doubtBelow }, { version }, live) =>
      doubtBelow !== null || version === undefined ? unless(doubtBelow) : mayGoOnWith(version, workflow, live),
    reads: ({ scope, freshKeys }) => ({ outcomes: scope === "branch", doubtBelow: freshKeys === true }),
    /** As `lib/store/runs/rerun.ts`: the chosen steps, and all repeatable steps of unknown outcome. */
    again: (run, given) => {
      const chosen = chosenSteps(run, given);
      return run.steps.filter((step) => chosen.includes(step) || isRepeatable(step));
    },
    ignoresWaiting: true,
    mayHaveHappened,
    freshKeys: ({ freshKeys }) => freshKeys === true,
    decided: ({ included, keeps, again, stay, repeats }) => ({ included, keeps, again, stay, repeats }),
    isDone: ({ generation }, _, seen) => generation > seen.generation,
  },
  command: (tools, { runId, params: { fromStep, scope, freshKeys = false, version } }) => ({
    step: fromStep,
    details: { freshKeys, ...(version !== undefined && { version }), ...(scope && { scope }) },
    change: async (tx, { run }) => {
      if (freshKeys) await tools.checkNoDoubtBelow(tx, runId);
      if (version !== undefined) {
        await checkVersion(tools, tx, run.workflow, version);
        await tools.chooseVersion(tx, runId, version);
      }
      if (fromStep === undefined) await tools.rerunFailed(tx, runId, freshKeys);
      else await tools.rerunFrom(tx, runId, { step: fromStep, freshKeys, branchOnly: scope === "branch" });
    },
  }),
} satisfies Action<Params>;
