import { mayPause, mayResume, mayWake } from "../engine/operator-acts";
import { pauseRun, resumeRun } from "../store/pause";
import { wakeRun } from "../store/wake";
import { carryOut, type Desk } from "./command";

interface RunControl {
  runId: string;
  reason: string;
  revision?: number | undefined;
}

/** Holds a run that nobody works on at once; asks the worker of any other one to let what is in flight finish. */
export function pause(desk: Desk, { runId, reason, revision }: RunControl) {
  return carryOut(desk, {
    act: "pause",
    runId,
    reason,
    revision,
    isOpen: mayPause,
    change: (tx) => pauseRun(tx, runId),
  });
}

/** Lets a paused run go on, its timers due as they were. */
export function resume(desk: Desk, { runId, reason, revision }: RunControl) {
  return carryOut(desk, {
    act: "resume",
    runId,
    reason,
    revision,
    isOpen: mayResume,
    change: (tx) => resumeRun(tx, runId),
  });
}

/** Ends a wait for a timer now; without a step, every one of the run. */
export function wake(desk: Desk, { runId, step, reason, revision }: RunControl & { step?: string | undefined }) {
  return carryOut(desk, {
    act: "wake",
    runId,
    step,
    reason,
    revision,
    isOpen: (run) => mayWake(run, step),
    change: (tx) => wakeRun(tx, runId, step),
  });
}
