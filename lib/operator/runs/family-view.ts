import { RUN_STATUSES, type RunStatus } from "../../engine/runs/run";
import type { AncestorRow, StatusCounts } from "../../store/reads/family";
import type { RootCauseRow } from "../../store/reads/root-cause";
import { asBriefError } from "../values";

/** Counts as the contract's `RunTally`; `more` if the store stopped counting. */
export function tallyOf(counted: StatusCounts, cap: number, more = false) {
  const byStatus = Object.fromEntries(RUN_STATUSES.map((status) => [status, counted[status] ?? 0]));
  const total = Object.values(byStatus).reduce((sum, count) => sum + count, 0);
  return {
    byStatus: byStatus as Record<RunStatus, number>,
    total: Math.min(total, cap),
    capped: more || total > cap,
  };
}

export const ancestorView = (run: AncestorRow) => ({
  runId: run.id,
  parentRunId: run.parent_run_id,
  parentStep: run.parent_step,
  workflow: run.workflow,
  named: run.named,
  status: run.status,
});

export const rootCauseView = (cause: RootCauseRow) => ({
  runId: cause.id,
  workflow: cause.workflow,
  status: cause.status,
  attention: cause.attention,
  failedStep: cause.failed_step,
  waitingStep: cause.waiting_step,
  error: asBriefError(cause.error),
  way: cause.way.map(({ id, workflow, parent_step }) => ({ runId: id, workflow, parentStep: parent_step })),
});
