import { standingSteps } from "@/components/domain/run/rerun-split";
import { mayRerun } from "@/lib/actions/rerun";
import type { Run } from "@/lib/api/contract/run";
import type { RunFacts } from "@/lib/engine/runs/operator-acts";

/** The run as the rules see it. */
export function factsOf(run: Run): RunFacts {
  return {
    status: run.status,
    cancelRequested: run.cancelRequestedAt !== null,
    pauseRequested: run.pauseRequestedAt !== null,
    startsLater: run.status === "pending" && run.runAt !== null && run.startedAt === null,
    failedStep: run.failedStep,
    keyHeldBy: run.singleton?.heldBy ?? null,
    parentRunId: run.parentRunId,
    pageOf: run.pageOf,
    erased: run.erasedAt !== null,
    steps: standingSteps(run.steps).map(({ name, kind, effect, status, position, canAsk, inDoubt, compensation }) => ({
      name,
      kind,
      effect,
      status,
      position,
      canAsk,
      inDoubt,
      compensationMode: compensation.mode,
      compensationStatus: compensation.status,
    })),
  };
}

/** Whether the run may be rerun from a chosen step. */
export function mayRerunFromChosen(run: Run): boolean {
  const facts = factsOf(run);
  const [first] = facts.steps;
  return first !== undefined && !facts.erased && mayRerun(facts, { fromStep: first.name }).open;
}
