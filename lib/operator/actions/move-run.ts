import { mayMove } from "../../engine/runs/operator-acts";
import { moveRun } from "../../store/workflows/versions";
import type { Command } from "./command";
import { checkVersion } from "./rerun";

interface Move {
  runId: string;
  version: number;
  reason: string;
}

/**
 * Moves a run that has not ended to another version of its code; only workers with that version claim it from then on.
 */
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
