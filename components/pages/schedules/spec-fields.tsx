"use client";

import { useState } from "react";
import { MISSED_WORDS, OVERLAP_WORDS } from "@/components/domain/schedules/schedule-words";
import { NativeSelect } from "@/components/ui/form/native-select";
import { TextArea, TextField } from "@/components/ui/form/text-field";
import { DialogSection } from "@/components/ui/overlay/dialog";
import type { Schedule } from "@/lib/api/contract/schedules";

type Spec = Pick<Schedule, "timing" | "overlap" | "missed" | "input">;

const optionsOf = (words: Record<string, string>) => Object.entries(words).map(([value, text]) => ({ value, text }));

/** The settings of a schedule while a person changes them. */
export function useSpecFields({ timing, ...initial }: Spec) {
  const [cron, setCron] = useState("cron" in timing ? timing.cron : "");
  const [timeZone, setTimeZone] = useState("cron" in timing ? timing.timeZone : "UTC");
  const [everyMs, setEveryMs] = useState("everyMs" in timing ? String(timing.everyMs) : "");
  const [overlap, setOverlap] = useState(initial.overlap);
  const [missed, setMissed] = useState(initial.missed);
  const [input, setInput] = useState(() => JSON.stringify(initial.input, null, 2));
  const value = parsed(input);
  return {
    ...{ cron, setCron, timeZone, setTimeZone, everyMs, setEveryMs, overlap, setOverlap, missed, setMissed },
    ...{ input, setInput, isJson: value !== undefined },
    /** Undefined while the input is no JSON. */
    given: value && {
      times: everyMs.trim() === "" ? { cron, timeZone } : { everyMs: Number(everyMs) },
      ...{ overlap, missed, input: value.value },
    },
  };
}

export function SpecFields({ spec }: { spec: ReturnType<typeof useSpecFields> }) {
  return (
    <>
      <DialogSection className="grid gap-3 md:grid-cols-2">
        <TextField label="Cron" mono value={spec.cron} onChange={(event) => spec.setCron(event.target.value)} />
        <TextField label="Time zone" value={spec.timeZone} onChange={(event) => spec.setTimeZone(event.target.value)} />
        <TextField
          label="Or an interval in milliseconds"
          hint="Leave empty to use cron"
          inputMode="numeric"
          value={spec.everyMs}
          onChange={(event) => spec.setEveryMs(event.target.value)}
        />
        <NativeSelect
          label="If an earlier run is in progress"
          options={optionsOf(OVERLAP_WORDS)}
          value={spec.overlap}
          onChange={(event) => spec.setOverlap(event.target.value as Spec["overlap"])}
        />
        <NativeSelect
          label="Missed times"
          options={optionsOf(MISSED_WORDS)}
          value={spec.missed}
          onChange={(event) => spec.setMissed(event.target.value as Spec["missed"])}
        />
      </DialogSection>
      <DialogSection>
        <TextArea
          label="Input"
          mono
          rows={4}
          value={spec.input}
          error={spec.isJson ? undefined : "Invalid JSON."}
          onChange={(event) => spec.setInput(event.target.value)}
        />
      </DialogSection>
    </>
  );
}

function parsed(text: string): { value: Spec["input"] } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
