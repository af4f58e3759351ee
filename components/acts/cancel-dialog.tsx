"use client";

import { plural } from "@/lib/format";
import { tell } from "../toasts/tell";
import { thisRun } from "../toasts/things";
import { Callout } from "../ui/feedback/callout";
import { TextField } from "../ui/form/text-field";
import { DialogSection } from "../ui/overlay/dialog";
import { ActDialog } from "./act-dialog";
import { PlanOfOne } from "./plan-of-one";
import { standingSteps } from "./rerun-split";
import type { FrozenRun } from "./use-frozen-run";
import { usePlannedAct } from "./use-planned-act";
import { SAY_WHY, useReason } from "./use-reason";

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
      description="It ends without finishing its work. A step in flight is asked to stop, and its outcome is still recorded."
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
              `${undoable.length === done.length ? "All" : undoable.length} of them can be undone afterwards with Compensate.`}
          </Callout>
        )}
        {run.children.total > 0 && (
          <Callout tone="amber">
            Children that this run waits for, and theirs, are cancelled with it. Those that it only started go on.
          </Callout>
        )}
        <PlanOfOne {...planned} />
        <TextField {...reason.field} label="Why (it stands in the audit)" placeholder="Ordered twice by mistake" />
      </DialogSection>
    </ActDialog>
  );
}
