"use client";

import { definedIn, thisSchedule } from "@/components/domain/schedules/schedule-words";
import { ActDialog } from "@/components/parts/submit/act-dialog";
import { useAct } from "@/components/parts/submit/use-act";
import { SAY_WHY, useReason } from "@/components/parts/submit/use-reason";
import { tell } from "@/components/parts/toasts/tell";
import { UNDO_REASON, useUndo } from "@/components/parts/toasts/use-undo";
import { TextField } from "@/components/ui/form/text-field";
import { DialogSection } from "@/components/ui/overlay/dialog";
import type { Schedule, ScheduleEditRequest } from "@/lib/api/contract/schedules";
import { sendScheduleAct, useEditSchedule } from "@/lib/api/hooks/schedule-hooks";
import { SpecFields, useSpecFields } from "./spec-fields";

/** Overrides the settings that the schedule was defined with; unchanged fields are not overridden. */
export function EditDialog({ schedule, onClose }: { schedule: Schedule; onClose: () => void }) {
  const spec = useSpecFields(schedule);
  const reason = useReason(SAY_WHY);
  const tellEdited = useTellEdited(schedule);
  const sending = useAct(useEditSchedule(schedule.name), () => {
    tellEdited();
    onClose();
  });
  const submit = () => {
    if (!reason.check() || !spec.given) return;
    const request = { ...changesOf(spec.given, schedule), reason: reason.text, revision: schedule.revision };
    sending.submit({ request });
  };
  return (
    <ActDialog
      title="Edit this schedule"
      description={`Overrides ${definedIn(schedule)} until you revert it, even if that changes. Takes effect now.`}
      submit="Save the edit"
      pending={sending.pending}
      error={sending.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <SpecFields spec={spec} />
      <DialogSection>
        <TextField {...reason.field} placeholder="The directory is closed until four" />
      </DialogSection>
    </ActDialog>
  );
}

function useTellEdited(schedule: Schedule) {
  const undo = useUndo();
  const about = thisSchedule(schedule);
  const reset = (idempotencyKey: string) =>
    sendScheduleAct(schedule.name, "reset", { request: { reason: UNDO_REASON }, idempotencyKey });
  const back = { act: reset, done: "The schedule was reverted", about };
  // What an earlier edit had set is not known whole: only the first one can be taken back.
  return () =>
    tell("The schedule is edited", { about, undo: schedule.overridden.length === 0 ? undo(back) : undefined });
}

interface Edited extends Pick<Schedule, "overlap" | "missed" | "input"> {
  times: Schedule["timing"];
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Only what differs from the definition. */
function changesOf(
  { times, overlap, missed, input }: Edited,
  { definition }: Schedule,
): Omit<ScheduleEditRequest, "reason"> {
  return {
    ...(!same(times, definition.timing) && times),
    ...(overlap !== definition.overlap && { overlap }),
    ...(missed !== definition.missed && { missed }),
    ...(!same(input, definition.input) && { input }),
  };
}
