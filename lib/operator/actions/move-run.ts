import { mayMove } from "../../engine/runs/operator-acts";
import { moveRun } from "../../store/workflows/versions";
import type { Command } from "./command";
import { checkVersion } from "./rerun";

interface Move {
  runId: string;
  version: number;
  reason: string;
}

/** Lets a run that has not ended go on with another version of its code, and with no other. */
export const moveCommand = ({ runId, version, reason }: Move): Command => ({
  act: "move",
  runId,
  reason,
  asked: { version },
  isOpen: mayMove,
  change: async (tx, { run }) => {
    await checkVersion(tx, run.workflow, version);
    await moveRun(tx, runId, version);
  },
});
