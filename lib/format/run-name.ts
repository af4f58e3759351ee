import { type RunNames, titleOfRun } from "../engine/runs/run-name";
import { shortenMiddle } from "../format";

/** What people call a run, or its shortened id. @param names null for a run that no longer exists */
export const nameOfRun = (runId: string, names: RunNames | null | undefined): string =>
  (names && titleOfRun(names)) ?? shortenMiddle(runId);
