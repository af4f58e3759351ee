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
  /** Its children too, and theirs. Default: the run alone. */
  children?: boolean | undefined;
}

/** Holds a run that nobody works on at once; asks the worker of any other one to let what is in flight finish. */
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

/** Lets a paused run go on, its timers due as they were; and what the same pause holds below it. */
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

/** Ends a wait for a timer now; without a step, every one of the run. */
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
