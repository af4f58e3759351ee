import { mayPause, mayResume, mayWake } from "../../engine/runs/operator-acts";
import { pauseRun, resumeRun } from "../../store/runs/pause";
import { pauseChildren, resumeChildren } from "../../store/runs/pause-children";
import { wakeRun } from "../../store/runs/wake";
import type { AlsoChanged } from "../audit/audited";
import { type Command, carryOut, type Desk } from "./command";
import { withParent } from "./with-parent";

interface RunControl {
  runId: string;
  reason: string;
  revision?: number | undefined;
}

interface Pause extends RunControl {
  /** Pauses all descendants, too. Default: the run alone. */
  children?: boolean | undefined;
}

/** Pauses a run without a worker at once; asks the worker of any other run to finish what is in flight first. */
export const pause = (desk: Desk, given: Pause) => carryOut(desk, pauseCommand(given));

export function pauseCommand({ runId, reason, revision, children = false }: Pause): Command {
  const paused: AlsoChanged[] = [];
  return {
    act: "pause",
    runId,
    reason,
    revision,
    ...(children && { asked: { children } }),
    isOpen: mayPause,
    change: async (tx) => {
      await pauseRun(tx, runId, children ? runId : null);
      if (!children) return;
      paused.push(...withParent(await pauseChildren(tx, { runId, root: runId }), `Paused with its parent: ${reason}`));
    },
    alsoChanged: paused,
  };
}

/** Resumes a paused run, with its timers unchanged, and the descendants that the same pause holds. */
export const resume = (desk: Desk, given: RunControl) => carryOut(desk, resumeCommand(given));

export function resumeCommand({ runId, reason, revision }: RunControl): Command {
  const resumed: AlsoChanged[] = [];
  return {
    act: "resume",
    runId,
    reason,
    revision,
    isOpen: mayResume,
    change: async (tx, { run: { pause_root: root } }) => {
      await resumeRun(tx, runId);
      if (root === null) return;
      resumed.push(...withParent(await resumeChildren(tx, { runId, root }), `Resumed with its parent: ${reason}`));
    },
    alsoChanged: resumed,
  };
}

/** Ends a wait for a timer now; without a step, all timers of the run. */
export const wake = (desk: Desk, given: Waking) => carryOut(desk, wakeCommand(given));

interface Waking extends RunControl {
  step?: string | undefined;
}

export function wakeCommand({ runId, step, reason, revision }: Waking): Command {
  return {
    act: "wake",
    runId,
    step,
    reason,
    revision,
    isOpen: (run) => mayWake(run, step),
    change: (tx) => wakeRun(tx, runId, step),
  };
}
