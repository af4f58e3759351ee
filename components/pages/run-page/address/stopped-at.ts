import type { Run } from "@/lib/api/contract/run";

/** The name of the step that stopped the run: it failed, its outcome is unknown, or the run waits at it. */
export const stoppedAt = ({ failedStep, steps, waitingFor }: Run): string | null =>
  failedStep ??
  steps.find(({ status, supersededBy }) => status === "unknown" && supersededBy === null)?.name ??
  waitingFor?.step ??
  null;
