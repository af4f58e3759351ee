"use client";

import { useState } from "react";
import { MISSED_WORDS, OVERLAP_WORDS, thisSchedule } from "@/components/domain/schedules/schedule-words";
import { ActDialog } from "@/components/parts/submit/act-dialog";
import { useAct } from "@/components/parts/submit/use-act";
import { SAY_WHY, useReason } from "@/components/parts/submit/use-reason";
import { tell } from "@/components/parts/toasts/tell";
import { UNDO_REASON, useUndo } from "@/components/parts/toasts/use-undo";
import { NativeSelect } from "@/components/ui/form/native-select";
import { TextArea, TextField } from "@/components/ui/form/text-field";
import { DialogSection } from "@/components/ui/overlay/dialog";
import type { Schedule, ScheduleEditRequest } from "@/lib/api/contract/schedules";
import { sendScheduleAct, useEditSchedule } from "@/lib/api/hooks/schedule-hooks";

const optionsOf = (words: Record<string, string>) => Object.entries(words).map(([value, text]) => ({ value, text }));

/** Overrides the code's settings of the schedule; unchanged fields are not overridden. */
export function EditDialog({ schedule, onClose }: { schedule: Schedule; onClose: () => void }) {
  const { timing } = schedule;
  const [cron, setCron] = useState("cron" in timing ? timing.cron : "");
  const [timeZone, setTimeZone] = useState("cron" in timing ? timing.timeZone : "UTC");
  const [everyMs, setEveryMs] = useState("everyMs" in timing ? String(timing.everyMs) : "");
  const [overlap, setOverlap] = useState(schedule.overlap);
  const [missed, setMissed] = useState(schedule.missed);
  const [input, setInput] = useState(() => JSON.stringify(schedule.input, null, 2));
  const reason = useReason(SAY_WHY);
  const tellEdited = useTellEdited(schedule);
  const given = parsed(input);
  const sending = useAct(useEditSchedule(schedule.name), () => {
    tellEdited();
    onClose();
  });
  const times = everyMs.trim() === "" ? { cron, timeZone } : { everyMs: Number(everyMs) };
  const submit = () => {
    if (!reason.check() || given === undefined) return;
    const edited = { times, overlap, missed, input: given.value };
    const request = { ...changesOf(edited, schedule), reason: reason.text, revision: schedule.revision };
    sending.submit({ request });
  };
  return (
    <ActDialog
      title="Edit this schedule"
      description="Overrides the code until you revert it, even if the code changes. Takes effect now."
      submit="Save the edit"
      pending={sending.pending}
      error={sending.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <DialogSection className="grid gap-3 md:grid-cols-2">
        <TextField label="Cron" mono value={cron} onChange={(event) => setCron(event.target.value)} />
        <TextField label="Time zone" value={timeZone} onChange={(event) => setTimeZone(event.target.value)} />
        <TextField
          label="Or an interval in milliseconds"
          hint="Leave empty to use cron"
          inputMode="numeric"
          value={everyMs}
          onChange={(event) => setEveryMs(event.target.value)}
        />
        <NativeSelect
          label="If an earlier run is in progress"
          options={optionsOf(OVERLAP_WORDS)}
          value={overlap}
          onChange={(event) => setOverlap(event.target.value as Schedule["overlap"])}
        />
        <NativeSelect
          label="Missed times"
          options={optionsOf(MISSED_WORDS)}
          value={missed}
          onChange={(event) => setMissed(event.target.value as Schedule["missed"])}
        />
      </DialogSection>
      <DialogSection className="grid gap-3">
        <TextArea
          label="Input"
          mono
          rows={4}
          value={input}
          error={given === undefined ? "Invalid JSON." : undefined}
          onChange={(event) => setInput(event.target.value)}
        />
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
  const back = { act: reset, done: "The schedule was reverted to code", about };
  // What an earlier edit had set is not known whole: only the first one can be taken back.
  return () =>
    tell("The schedule is edited", { about, undo: schedule.overridden.length === 0 ? undo(back) : undefined });
}

function parsed(text: string): { value: Schedule["input"] } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

interface Edited extends Pick<Schedule, "overlap" | "missed" | "input"> {
  times: Schedule["timing"];
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Only what differs from the code. */
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
