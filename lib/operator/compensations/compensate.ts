import { mayCompensate, mayMarkCompensated } from "../../engine/runs/operator-acts";
import { oweCompensations, recordCompensation, retryFailedCompensations } from "../../store/compensations/compensate";
import { settleCompensations } from "../../store/compensations/settle-compensations";
import { type Command, carryOut, type Desk } from "../actions/command";

export interface Compensating {
  runId: string;
  reason: string;
  revision?: number | undefined;
}

/**
 * Compensates a run, in reverse order of completion; in a run that is compensating, retries the failed compensations.
 */
export const compensate = (desk: Desk, given: Compensating) => carryOut(desk, compensateCommand(given));

export function compensateCommand({ runId, reason, revision }: Compensating): Command {
  return {
    act: "compensate",
    runId,
    reason,
    revision,
    isOpen: mayCompensate,
    change: async (tx, { run }) => {
      if (run.status === "compensating") await retryFailedCompensations(tx, runId);
      else await oweCompensations(tx, runId);
      await settleCompensations(tx, runId);
    },
  };
}

interface CompensationResolution {
  runId: string;
  step: string;
  outcome: "compensated" | "waived";
  note: string;
  reference?: string | undefined;
  /** An http(s) address of the evidence. */
  evidence?: string | undefined;
  revision?: number | undefined;
}

/** Records that a person compensated a step, or that its compensation is waived. */
export const markCompensated = (desk: Desk, resolution: CompensationResolution) =>
  carryOut(desk, markCompensatedCommand(resolution, desk.by.name));

/** `by`: who compensated or waived it. */
export function markCompensatedCommand(resolution: CompensationResolution, by: string): Command {
  const { runId, step, outcome, note, revision } = resolution;
  const { reference = null, evidence = null } = resolution;
  return {
    act: "mark_compensated",
    runId,
    step,
    reason: note,
    asked: { outcome, ...(reference !== null && { reference }), ...(evidence !== null && { evidence }) },
    revision,
    isOpen: (run) => mayMarkCompensated(run, step),
    change: async (tx) => {
      const status = outcome === "waived" ? "waived" : "completed";
      await recordCompensation(tx, runId, step, { status, by, note, reference, evidence });
      await settleCompensations(tx, runId);
    },
  };
}
