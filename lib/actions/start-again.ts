import { HandrailError } from "../engine/errors";
import { closed, type Openness, open, type RunFacts, unless } from "../engine/runs/operator-acts";
import { hasEnded } from "../engine/runs/run";
import { isBlob } from "../engine/values/blob";
import { plural } from "../format";
import {
  type Action,
  countedRuns,
  type Fields,
  type Given,
  mayTakeKey,
  type ParamsOf,
  type Tools,
  type Words,
} from "./action";

const params = ({ json }: Fields) => ({
  /** For one run only. Without it, each run's original input. */
  input: json.optional(),
});
type Params = ParamsOf<typeof params>;

/** Start a new run of the workflow, with the same input or an edited one. This run does not change. */
export function mayStartAgain(run: RunFacts): Openness {
  if (!hasEnded(run.status)) return closed("The run has not ended. Cancel it first: both would do the same work.");
  if (run.steps.some((step) => step.status === "unknown"))
    return closed("A step has an unknown outcome. Resolve it first: a new run could repeat its effect.");
  if (run.pageOf !== null)
    return closed(
      `The run is a page of mapSteps "${run.pageOf}", and no run by itself. Rerun it, or start its parent again.`,
    );
  return open;
}

export const startAgainWords = {
  icon: "copy",
  button: () => "Start a new run…",
  does: "Starts a separate run with the same input; this run stays as it is.",
  did: "started again",
  tried: "start again",
  name: "Start a new run",
  plan: {
    verb: () => "Start again",
    reason: "The address was wrong",
    note: "Starts separate runs with the same input; these runs stay as they are.",
    happens: ({ included, effects }) => [
      ...countedRuns(included, "are started again", "is started again"),
      ...(effects.repeat > 0 ? [`${plural(effects.repeat, "effect")} completed before will happen again`] : []),
    ],
    wordToType: (_, { effects }) => (effects.repeat > 0 ? "again" : null),
  },
} satisfies Words;

/** Of the same workflow with its newest code, linked to the original run, which is unchanged. */
function command(tools: Tools, { runId, params: { input }, code }: Given<Params>) {
  const details: { editedInput: boolean; newRunId?: string } = { editedInput: input !== undefined };
  return {
    details,
    change: async (tx, { run }) => {
      await tools.checkNoDoubtBelow(tx, runId);
      const old = await tools.startedWith(tx, runId);
      if (input === undefined && isBlob(old.input))
        throw new HandrailError(
          "not_allowed",
          "The run's input is in the blob store. Start a run with it by the library, or by POST /api/v1/runs with what GET /api/v1/runs/{runId}/value?part=input has.",
          { runId },
        );
      const value =
        input === undefined ? tools.decodeValue(old.input) : tools.decodeGiven(input, `input of "${run.workflow}"`);
      // A person decides to: the workflow's throttle does not count it, and another run of its singleton key is not the
      // new run, also where the workflow lets starts join that one.
      const parsedBy = input === undefined ? old.parsedBy : null;
      const {
        throttle: _,
        singleton,
        ...start
      } = await code.prepareStart(run.workflow, {
        input: value,
        options: { priority: run.priority },
        ...(parsedBy !== null && { parsedBy }),
      });
      if (parsedBy !== null && !tools.sameValue(start.input, old.input)) throw otherInput(parsedBy, start.version);
      // Tags that were added to the original run are kept; those that the workflow derives from the input are computed
      // again.
      const { id } = await tools.startAnew(tx, {
        ...start,
        ...(singleton && { singleton: { ...singleton, onConflict: "refuse" } }),
        tags: { ...run.tags, ...start.tags },
        headers: old.headers,
      });
      await tools.linkNewRun(tx, { runId: id, fromRunId: runId });
      details.newRunId = id;
    },
  } satisfies ReturnType<Action["command"]>;
}

/** A schema that transforms its input, and is not the one that has. */
const otherInput = (before: number, now: number) =>
  new HandrailError(
    "not_allowed",
    `Version ${before} of the workflow has parsed the input, and version ${now} would make another value of what it is now. Edit the input: ` +
      "give it as a caller would.",
  );

export const startAgain = {
  // An edited input may have another singleton key.
  rule: (run, { input }) => {
    const openness = mayStartAgain(run);
    return openness.open && input === undefined ? mayTakeKey(run) : openness;
  },
  offered: mayStartAgain,
  params,
  plan: {
    fourEyes: { start_again: "Starting a new run with its input" },
    needs: ({ doubtBelow }) => unless(doubtBelow),
    reads: () => ({ doubtBelow: true }),
    again: (run) => run.steps,
    inAnotherRun: true,
    freshKeys: () => true,
    decided: ({ included, repeats }) => ({ included, repeats }),
    complete: async ({ checkGiven, onlyRun, restoreMasked }, given) => {
      if (given.input === undefined) return given;
      const input = onlyRun === null ? given.input : await restoreMasked(onlyRun, given.input);
      checkGiven(input, "input");
      if (onlyRun === null)
        throw new HandrailError("invalid_request", "An edited input is for one run: name it, and no other.");
      return { input };
    },
  },
  command,
} satisfies Action<Params>;
