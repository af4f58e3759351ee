"use client";

import { standingSteps } from "@/components/domain/run/rerun-split";
import { thisRun } from "@/components/domain/run/things";
import { ActDialog } from "@/components/parts/submit/act-dialog";
import { SAY_WHY, useReason } from "@/components/parts/submit/use-reason";
import { tell } from "@/components/parts/toasts/tell";
import { Callout } from "@/components/ui/feedback/callout";
import { TextField } from "@/components/ui/form/text-field";
import { DialogSection } from "@/components/ui/overlay/dialog";
import { WORDS } from "@/lib/actions/words";
import { plural } from "@/lib/format";
import { PlanOfOne } from "./plan-of-one";
import type { FrozenRun } from "./use-frozen-run";
import { usePlannedAct } from "./use-planned-act";

/** Ends the run without finishing its work; what it did stays done. */
export function CancelDialog({ frozen, onClose }: { frozen: FrozenRun; onClose: () => void }) {
  const { run } = frozen;
  const reason = useReason(SAY_WHY);
  const planned = usePlannedAct(frozen, { act: "cancel", params: {} }, (after) => {
    tell(after.status === "cancelled" ? "The run is cancelled" : "Cancelling: the step in flight finishes first", {
      about: thisRun(after),
    });
    onClose();
  });
  const done = standingSteps(run.steps).filter((step) => step.status === "completed");
  const undoable = done.filter((step) => step.compensation.mode !== "none");
  return (
    <ActDialog
      title="Cancel this run"
      description="The run ends without finishing. A step in flight is asked to stop; its outcome is still recorded."
      submit="Cancel the run"
      tone="danger"
      {...planned.frame}
      frozen={frozen}
      onSubmit={() => reason.check() && planned.submit(reason.text)}
      onClose={onClose}
    >
      <DialogSection className="grid gap-3">
        {done.length > 0 && (
          <Callout tone="gray">
            {plural(done.length, "step")} already done {done.length === 1 ? "stays" : "stay"} done.{" "}
            {undoable.length > 0 &&
              `${undoable.length === done.length ? "All" : undoable.length} of them can be compensated afterwards.`}
          </Callout>
        )}
        {run.children.total > 0 && (
          <Callout tone="amber">
            Child runs that this run waits for, and theirs, are cancelled too. Child runs that it only started continue.
            {planned.item?.split === "past_undoing" &&
              " What this run and the cancelled ones have done stays; some of it declares no compensation."}
          </Callout>
        )}
        <PlanOfOne {...planned} />
        <TextField {...reason.field} placeholder={WORDS.cancel.plan.reason} />
      </DialogSection>
    </ActDialog>
  );
}
