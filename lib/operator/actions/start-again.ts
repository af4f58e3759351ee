import { mayStartAgain } from "../../engine/runs/operator-acts";
import { prepareStart } from "../../engine/runs/start";
import { decodeValue } from "../../engine/values/codec";
import type { Workflow } from "../../engine/workflows/workflow";
import { linkNewRun, startedWith } from "../../store/runs/new-runs";
import { insertRunOnce } from "../../store/runs/start-run";
import { decodeGiven } from "../given-value";
import type { Command } from "./command";
import { workflowNamed } from "./start-run";

interface StartAgain {
  runId: string;
  /** Parsed JSON; absent: the input of the original run. */
  input?: unknown;
  reason: string;
}

/** Starts a new run of the same workflow with its newest code, and links the two. The original run is unchanged. */
export function startAgainCommand(workflows: readonly Workflow[], { runId, input, reason }: StartAgain): Command {
  const asked: { editedInput: boolean; newRunId?: string } = { editedInput: input !== undefined };
  return {
    act: "start_again",
    runId,
    reason,
    asked,
    isOpen: mayStartAgain,
    change: async (tx, { run }) => {
      const workflow = workflowNamed(workflows, run.workflow);
      const old = await startedWith(tx, runId);
      const value = input === undefined ? decodeValue(old.input) : decodeGiven(input, `input of "${workflow.name}"`);
      const start = await prepareStart(workflow, value, { priority: run.priority });
      // Tags that were added to the original run are kept; those that the workflow derives from the input are computed
      // again.
      const tags = { ...run.tags, ...start.tags };
      const { id } = await insertRunOnce(tx, { ...start, tags });
      await linkNewRun(tx, { runId: id, fromRunId: runId });
      asked.newRunId = id;
    },
  };
}
