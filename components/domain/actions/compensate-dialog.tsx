"use client";

import { standingSteps } from "@/components/domain/run/rerun-split";
import { thisRun } from "@/components/domain/run/things";
import { ActDialog } from "@/components/parts/submit/act-dialog";
import { SAY_WHY, useReason } from "@/components/parts/submit/use-reason";
import { tell } from "@/components/parts/toasts/tell";
import { TextField } from "@/components/ui/form/text-field";
import { DialogSection } from "@/components/ui/overlay/dialog";
import type { Run, Step } from "@/lib/api/contract/run";
import { PlanOfOne } from "./plan-of-one";
import type { FrozenRun } from "./use-frozen-run";
import { usePlannedAct } from "./use-planned-act";

/** Compensates a run; in a run that is being compensated, retries the compensations that failed. */
export function CompensateDialog({ frozen, onClose }: { frozen: FrozenRun; onClose: () => void }) {
  const { run } = frozen;
  const reason = useReason(SAY_WHY);
  const retrying = run.status === "compensating";
  const planned = usePlannedAct(frozen, { act: "compensate", params: {} }, () => {
    tell(retrying ? "Retrying failed compensations" : "Compensating the run", { about: thisRun(run) });
    onClose();
  });
  return (
    <ActDialog
      title={retrying ? "Retry failed compensations" : "Compensate this run"}
      description="In this order. If one fails, it stops and needs manual action."
      submit={retrying ? "Retry" : "Compensate"}
      tone={retrying ? "primary" : "danger"}
      {...planned.frame}
      frozen={frozen}
      onSubmit={() => reason.check() && planned.submit(reason.text)}
      onClose={onClose}
    >
      <DialogSection className="grid gap-3">
        <ol className="overflow-hidden rounded-lg border border-line-strong">
          {compensationOrder(run).map((step, index) => (
            <CompensationRow key={step.name} step={step} place={index + 1} />
          ))}
        </ol>
        <PlanOfOne {...planned} />
        <TextField
          {...reason.field}
          placeholder={retrying ? "The gateway is back" : "The customer withdrew the order"}
        />
      </DialogSection>
    </ActDialog>
  );
}

function CompensationRow({ step, place }: { step: Step; place: number }) {
  const { mode, instructions } = step.compensation;
  return (
    <li className="flex gap-2.5 border-line border-b px-3 py-2 last:border-b-0">
      <span className="w-4 shrink-0 text-right text-ink-3">{place}</span>
      <div className="min-w-0 flex-1">
        <p className="flex items-baseline justify-between gap-3">
          <span className="truncate font-mono text-small">{step.name}</span>
          <span className={mode === "manual" ? "shrink-0 text-red text-small" : "shrink-0 text-ink-3 text-small"}>
            {mode === "manual" ? "manual" : "automatic"}
          </span>
        </p>
        {mode === "manual" && instructions && <p className="text-ink-2 text-small">{instructions}</p>}
        {step.reference && <p className="truncate text-ink-3 text-small">Reference {step.reference}</p>}
      </div>
    </li>
  );
}

/** The open compensations of the run, in order: the step whose outcome the code received last is first. */
export function compensationOrder(run: Pick<Run, "steps" | "status">): Step[] {
  const open = (step: Step) =>
    run.status === "compensating"
      ? step.compensation.status === "failed"
      : step.compensation.status !== "completed" && step.compensation.status !== "waived";
  return standingSteps(run.steps)
    .filter((step) => step.status === "completed" && step.compensation.mode !== "none" && open(step))
    .sort((a, b) => (b.finishedPosition ?? 0) - (a.finishedPosition ?? 0));
}
