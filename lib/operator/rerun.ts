import { mayRerun } from "../engine/operator-acts";
import { rerunFailed, rerunFrom } from "../store/rerun";
import { carryOut, type Desk } from "./command";

export interface Rerun {
  runId: string;
  /** Runs this step and what was met after it again; without it, the steps that failed. */
  fromStep?: string | undefined;
  /** New idempotency keys: a receiver then takes the calls for new ones. Default false. */
  freshKeys?: boolean | undefined;
  reason: string;
  revision?: number | undefined;
}

/** Runs again in the same run, in a new repair generation; every earlier result is kept. */
export function rerun(desk: Desk, { runId, fromStep, freshKeys = false, reason, revision }: Rerun) {
  return carryOut(desk, {
    act: "rerun",
    runId,
    step: fromStep,
    reason,
    asked: { freshKeys },
    revision,
    isOpen: (run) => mayRerun(run, fromStep),
    change: (tx) =>
      fromStep === undefined ? rerunFailed(tx, runId, freshKeys) : rerunFrom(tx, runId, fromStep, freshKeys),
  });
}
