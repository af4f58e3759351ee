import { mayCancel, mayPause, mayRerun, mayResume, type Openness, type RunFacts } from "./operator-acts";

/** Acts that can be planned for many runs at once. */
export const PLANNED_ACTS = ["rerun", "cancel", "pause", "resume"] as const;
export type PlannedActName = (typeof PLANNED_ACTS)[number];

/** An act with what the person chose, the same for every run of the plan. */
export type PlannedAct =
  | {
      act: "rerun";
      params: { fromStep?: string | undefined; freshKeys?: boolean | undefined; version?: number | undefined };
    }
  | { act: "cancel"; params: Record<string, never> }
  | { act: "pause"; params: { children?: boolean | undefined } }
  | { act: "resume"; params: Record<string, never> };

/** The one rule of an act, for plan and execution. `live`: versions of the run's workflow that live workers have. */
export function mayActAsPlanned(
  { act, params }: PlannedAct,
  run: RunFacts & { workflow: string },
  live: readonly number[],
): Openness {
  switch (act) {
    case "rerun": {
      const rerun = mayRerun(run, params.fromStep);
      return rerun.open && params.version !== undefined ? mayGoOnWith(params.version, run.workflow, live) : rerun;
    }
    case "cancel":
      return mayCancel(run);
    case "pause":
      return mayPause(run);
    case "resume":
      return mayResume(run);
  }
}

/** A run goes on with a version of its workflow only if somebody has it. */
export function mayGoOnWith(version: number, workflow: string, live: readonly number[]): Openness {
  if (live.includes(version)) return { open: true };
  const there = live.length === 0 ? "No live worker has this workflow" : `Live workers have ${listed(live)}`;
  return { open: false, because: `No live worker has version ${version} of "${workflow}". ${there}.` };
}

const listed = (versions: readonly number[]) =>
  versions.length === 1 ? `version ${versions[0]}` : `versions ${versions.join(", ")}`;

/** True when the run is where the act would have brought it. `generation`: the run's, as the plan saw it. */
export function isDoneAlready(
  { act }: PlannedAct,
  run: RunFacts & { generation: number },
  generation: number,
): boolean {
  switch (act) {
    case "rerun":
      return run.generation > generation;
    case "cancel":
      return run.cancelRequested || run.status === "cancelled";
    case "pause":
      return run.pauseRequested || run.status === "paused";
    case "resume":
      return !run.pauseRequested && run.status !== "paused";
  }
}
