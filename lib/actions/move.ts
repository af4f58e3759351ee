import type { PlanFacts } from "../engine/operations/plan";
import { closed, type Openness, open, type RunFacts } from "../engine/runs/operator-acts";
import { type Action, type Fields, onRuns, type ParamsOf, type Words } from "./action";
import { checkVersion, mayGoOnWith } from "./rerun";

const params = ({ z }: Fields) => ({ version: z.int().min(1).max(2_147_483_647) });
type Params = ParamsOf<typeof params>;

/** Let a run that has not ended go on with another version of its code. */
export function mayMove(run: RunFacts): Openness {
  if (run.cancelRequested) return closed("The run is being cancelled.");
  switch (run.status) {
    case "pending":
    case "waiting":
    case "paused":
      return open;
    case "running":
      return closed("A worker is executing the run. Pause it first, then move it.");
    case "compensating":
      return closed("The run is being compensated by the code that executed it, and cannot be moved.");
    default:
      return closed(`The run has ended (${run.status}). Rerun it with another version, or start a new run.`);
  }
}

export const moveWords = {
  icon: "branch",
  button: () => "Move to another version…",
  does: "Continues only with the version that you choose.",
  did: "moved",
  tried: "move",
  name: "Move to a version",
  plan: {
    verb: () => "Move",
    reason: "Version 8 has the fix",
    note: "They continue only with one version of the code.",
    happens: onRuns("continue only with this version", "continues only with this version"),
  },
} satisfies Words;

function mayMoveTo({ workflow, chosenVersion, unfit }: PlanFacts, { version }: Params, live: readonly number[]) {
  if (chosenVersion === version) return closed("The run already uses that version.");
  const misfit = unfit.find((found) => found.version === version);
  if (misfit)
    return closed(`That version does not fit what this run has done: it does not reach step "${misfit.gone}".`);
  return mayGoOnWith(version, workflow, live);
}

/** Only workers with that version claim the run from then on. */
export const move = {
  rule: mayMove,
  params,
  plan: {
    fourEyes: { move: "Moving to another version" },
    needs: mayMoveTo,
    reads: () => ({ unfit: true }),
    decided: ({ included }) => ({ included }),
    isDone: ({ chosenVersion }, { version }) => chosenVersion === version,
  },
  command: (tools, { runId, params: { version } }) => ({
    details: { version },
    change: async (tx, { run }) => {
      await checkVersion(tools, tx, run.workflow, version);
      await tools.moveRun(tx, runId, version);
    },
  }),
} satisfies Action<Params>;
