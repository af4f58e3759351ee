import type { RunToStart } from "../../engine/runs/start";
import type { Db } from "../../store/db";
import { insertRunOnce } from "../../store/runs/start-run";
import type { StartedRun } from "../../store/runs/starter";
import { tracedStarts } from "../../traces/tracing";

/**
 * What the commands in lib/actions call on the server. They import the type alone and get it as an argument, so that
 * browsers can load their files.
 */
export { prepareEvent } from "../../engine/events/prepare-event";
export { decodeValue, encodeValue, sameValue } from "../../engine/values/codec";
export { personNamed } from "../../store/access/people";
export {
  assignCompensation,
  oweCompensations,
  recordCompensation,
  retryFailedCompensations,
} from "../../store/compensations/compensate";
export { settleCompensations } from "../../store/compensations/settle-compensations";
export { selectAnswer, selectQuestion } from "../../store/events/questions";
export { sendEvent } from "../../store/events/send-event";
export { eraseRun } from "../../store/privacy/erase-run";
export { endSnooze, snooze } from "../../store/runs/attention";
export { cancel as cancelRun } from "../../store/runs/cancel";
export { cancelChildren } from "../../store/runs/cancel-children";
export { deleteRun } from "../../store/runs/delete-run";
export { linkNewRun, startedWith } from "../../store/runs/new-runs";
export { pauseRun, resumeRun } from "../../store/runs/pause";
export { pauseChildren, resumeChildren } from "../../store/runs/pause-children";
export { rerunFailed, rerunFrom, supplyFailedStep } from "../../store/runs/rerun";
export { wakeRun } from "../../store/runs/wake";
export { endUnknownStep, goOnAfterSettling, repeatUnknownStep } from "../../store/steps/settle-step";
export { chooseVersion, liveVersions, moveRun } from "../../store/workflows/versions";
export { checkGiven, decodeGiven, encodeGiven } from "../given-value";
export { checkNoDoubtBelow } from "./doubt-below";
export { preparedEvent } from "./send-event";

/** A run in the place of another one, in a new trace. */
export const startAnew = (tx: Db, run: RunToStart): Promise<StartedRun> =>
  tracedStarts(
    [run],
    { unasked: true },
    ([traced = run]) => insertRunOnce(tx, traced),
    (started) => [started],
  );
