import { HandrailError } from "../../engine/errors";
import { mayGoOnWith, type RerunScope } from "../../engine/operations/planned-act";
import { mayRerun } from "../../engine/runs/operator-acts";
import type { Db } from "../../store/db";
import { rerunFailed, rerunFrom } from "../../store/runs/rerun";
import { chooseVersion, liveVersions } from "../../store/workflows/versions";
import { type Command, carryOut, type Desk } from "./command";

export interface Rerun {
  runId: string;
  /** Runs this step and everything after it again; without it, the failed steps. */
  fromStep?: string | undefined;
  /** Which steps after `fromStep`. Default: all that came after it. */
  scope?: RerunScope | undefined;
  /** New idempotency keys: the provider then treats the calls as new ones. Default false. */
  freshKeys?: boolean | undefined;
  /** The version of the code from now on; a live worker must have it. Without it, the version is unchanged. */
  version?: number | undefined;
  reason: string;
  revision?: number | undefined;
}

/** Runs again in the same run, in a new repair generation; every earlier result is kept. */
export const rerun = (desk: Desk, given: Rerun) => carryOut(desk, rerunCommand(given));

export function rerunCommand({ runId, fromStep, scope, freshKeys = false, version, reason, revision }: Rerun): Command {
  return {
    act: "rerun",
    runId,
    step: fromStep,
    reason,
    asked: { freshKeys, ...(version !== undefined && { version }), ...(scope && { scope }) },
    revision,
    isOpen: (run) => mayRerun(run, fromStep, scope, freshKeys),
    change: async (tx, { run }) => {
      if (version !== undefined) {
        await checkVersion(tx, run.workflow, version);
        await chooseVersion(tx, runId, version);
      }
      if (fromStep === undefined) await rerunFailed(tx, runId, freshKeys);
      else await rerunFrom(tx, runId, { step: fromStep, freshKeys, branchOnly: scope === "branch" });
    },
  };
}

/** @throws HandrailError `not_allowed` if no live worker could run it */
export async function checkVersion(tx: Db, workflow: string, version: number): Promise<void> {
  const live = await liveVersions(tx, workflow);
  const openness = mayGoOnWith(version, workflow, live);
  if (!openness.open) throw new HandrailError("not_allowed", openness.because, { live });
}
