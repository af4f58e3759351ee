"use client";

import { useRouter } from "next/navigation";
import { ActDialog } from "@/components/parts/submit/act-dialog";
import { useAct } from "@/components/parts/submit/use-act";
import { SAY_WHY, useReason } from "@/components/parts/submit/use-reason";
import { tell } from "@/components/parts/toasts/tell";
import { TextField } from "@/components/ui/form/text-field";
import { DialogSection } from "@/components/ui/overlay/dialog";
import type { Schedule } from "@/lib/api/contract/schedules";
import { useRemoveSchedule } from "@/lib/api/hooks/schedule-hooks";

/** Removes a schedule that was made at run time, and goes back to the list. */
export function RemoveDialog({ schedule, onClose }: { schedule: Schedule; onClose: () => void }) {
  const router = useRouter();
  const reason = useReason(SAY_WHY);
  const sending = useAct(useRemoveSchedule(schedule.name), () => {
    tell("The schedule is removed", { about: { name: schedule.title, href: "/schedules" } });
    router.push("/schedules");
  });
  return (
    <ActDialog
      title="Remove this schedule"
      description="No more runs start. Runs that it has started go on, and stay on record."
      submit="Remove the schedule"
      pending={sending.pending}
      error={sending.error}
      onSubmit={() =>
        reason.check() && sending.submit({ request: { reason: reason.text, revision: schedule.revision } })
      }
      onClose={onClose}
    >
      <DialogSection>
        <TextField {...reason.field} placeholder="The customer has left" />
      </DialogSection>
    </ActDialog>
  );
}
