"use client";

import { thisSchedule } from "@/components/domain/schedules/schedule-words";
import { ActDialog } from "@/components/parts/submit/act-dialog";
import { useAct } from "@/components/parts/submit/use-act";
import { SAY_WHY, useReason } from "@/components/parts/submit/use-reason";
import { tell } from "@/components/parts/toasts/tell";
import { UNDO_REASON, useUndo } from "@/components/parts/toasts/use-undo";
import { TextField } from "@/components/ui/form/text-field";
import { DialogSection } from "@/components/ui/overlay/dialog";
import type { Schedule } from "@/lib/api/contract/schedules";
import { type PlainScheduleAct, sendScheduleAct, useScheduleAct } from "@/lib/api/hooks/schedule-hooks";
import { BackfillDialog } from "./backfill-dialog";
import { EditDialog } from "./edit-dialog";
import { RemoveDialog } from "./remove-dialog";

interface ScheduleDialogProps {
  schedule: Schedule;
  onClose: () => void;
}

/** The dialog of the chosen action. */
export function ScheduleDialogs({ act, ...props }: ScheduleDialogProps & { act: Schedule["acts"][number]["act"] }) {
  if (act === "backfill") return <BackfillDialog {...props} />;
  if (act === "edit") return <EditDialog {...props} />;
  if (act === "remove") return <RemoveDialog {...props} />;
  return <PlainDialog act={act} {...props} />;
}

const WORDS: Record<
  PlainScheduleAct,
  { title: string; description: string; submit: string; done: string; example: string }
> = {
  fire: {
    title: "Run this schedule now",
    description: "Starts a run immediately, even if another is in progress. The next times stay the same.",
    submit: "Run now",
    done: "Run started",
    example: "The directory has changed since last night",
  },
  pause: {
    title: "Pause this schedule",
    description: "No runs start until you resume it, and missed times are not caught up. Runs in progress continue.",
    submit: "Pause the schedule",
    done: "The schedule is paused",
    example: "The directory is being moved",
  },
  resume: {
    title: "Resume this schedule",
    description: "Continues with its next time. To run missed times, use Backfill.",
    submit: "Resume the schedule",
    done: "The schedule is resumed",
    example: "The move is done",
  },
  reset: {
    title: "Revert this schedule",
    description: "Discards every edit. The schedule continues from now as it was defined.",
    submit: "Revert the edits",
    done: "The schedule was reverted",
    example: "The definition is right again",
  },
};

function PlainDialog({ act, schedule, onClose }: ScheduleDialogProps & { act: PlainScheduleAct }) {
  const { title, description, submit, done, example } = WORDS[act];
  const reason = useReason(SAY_WHY);
  const undo = useUndo();
  const about = thisSchedule(schedule);
  const takeBack = () => {
    const inverse = act === "pause" ? "resume" : act === "resume" ? "pause" : null;
    if (inverse === null) return undefined;
    return undo({
      act: (idempotencyKey) =>
        sendScheduleAct(schedule.name, inverse, { request: { reason: UNDO_REASON }, idempotencyKey }),
      done: WORDS[inverse].done,
      about,
    });
  };
  const sending = useAct(useScheduleAct(schedule.name, act), () => {
    tell(done, { about, undo: takeBack() });
    onClose();
  });
  return (
    <ActDialog
      title={title}
      description={description}
      submit={submit}
      pending={sending.pending}
      error={sending.error}
      onSubmit={() => reason.check() && sending.submit({ request: { reason: reason.text } })}
      onClose={onClose}
    >
      <DialogSection>
        <TextField {...reason.field} placeholder={example} />
      </DialogSection>
    </ActDialog>
  );
}
