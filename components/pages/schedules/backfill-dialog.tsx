"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { thisSchedule } from "@/components/domain/schedules/schedule-words";
import { ActDialog } from "@/components/parts/submit/act-dialog";
import { useAct } from "@/components/parts/submit/use-act";
import { SAY_WHY, useReason } from "@/components/parts/submit/use-reason";
import { Instant } from "@/components/parts/time/instant";
import { InstantField } from "@/components/parts/time/instant-field";
import { tell } from "@/components/parts/toasts/tell";
import { Callout } from "@/components/ui/feedback/callout";
import { TextField } from "@/components/ui/form/text-field";
import { useDebounced } from "@/components/ui/hooks/use-debounced";
import { DialogSection } from "@/components/ui/overlay/dialog";
import type { BackfillPreview, Schedule } from "@/lib/api/contract/schedules";
import { backfillQuery } from "@/lib/api/hooks/queries";
import { useBackfill } from "@/lib/api/hooks/schedule-hooks";
import { plural } from "@/lib/format";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const SHOWN_TIMES = 8;
const TYPED_MS = 300;

/** Starts the runs of past times that have none, after a preview. */
export function BackfillDialog({ schedule, onClose }: { schedule: Schedule; onClose: () => void }) {
  const [from, setFrom] = useState<Date | null>(() => new Date(Date.now() - DAY_MS));
  const [to, setTo] = useState<Date | null>(() => new Date(Date.now() - MINUTE_MS));
  const range = useDebounced(rangeOf(from, to), TYPED_MS);
  const preview = useQuery(backfillQuery(schedule.name, range && JSON.parse(range)));
  const reason = useReason(SAY_WHY);
  const sending = useAct(useBackfill(schedule.name), ({ runIds }) => {
    tell(`${plural(runIds.length, "run")} started`, { about: thisSchedule(schedule) });
    onClose();
  });
  const toStart = preview.data?.toStart ?? 0;
  return (
    <ActDialog
      title="Backfill this schedule"
      description="Starts a run for every missed time in this range. Times that already have a run are skipped."
      submit={toStart > 0 ? `Start ${plural(toStart, "run")}` : "Start the runs"}
      blocked={toStart === 0}
      pending={sending.pending}
      error={sending.error}
      onSubmit={() =>
        reason.check() &&
        range &&
        sending.submit({ request: { ...JSON.parse(range), reason: reason.text, revision: preview.data?.revision } })
      }
      onClose={onClose}
    >
      <DialogSection className="grid gap-3 md:grid-cols-2">
        <InstantField label="From" value={from} onChange={setFrom} />
        <InstantField label="To" value={to} onChange={setTo} />
      </DialogSection>
      <DialogSection>
        <div aria-live="polite">
          {preview.error && <Callout tone="amber">{preview.error.message}</Callout>}
          {preview.data && <Preview preview={preview.data} />}
          {!preview.error && !preview.data && <p className="text-ink-3">{range ? "Loading…" : "Choose a range."}</p>}
        </div>
      </DialogSection>
      <DialogSection>
        <TextField {...reason.field} placeholder="Three nights were missed" />
      </DialogSection>
    </ActDialog>
  );
}

function Preview({ preview: { times, toStart } }: { preview: BackfillPreview }) {
  if (times.length === 0) return <p className="text-ink-3">This schedule has no times in this range.</p>;
  const open = times.filter(({ runId }) => runId === null);
  return (
    <div className="grid gap-1.5">
      <p>
        {plural(toStart, "missed run")} will start; {times.length - toStart} already ran.
      </p>
      <ul className="text-ink-2">
        {open.slice(0, SHOWN_TIMES).map(({ nominalAt }) => (
          <li key={nominalAt}>
            <Instant at={nominalAt} />
          </li>
        ))}
        {open.length > SHOWN_TIMES && <li className="text-ink-3">and {open.length - SHOWN_TIMES} more</li>}
      </ul>
    </div>
  );
}

/** As JSON text, so that the same range is the same value; to the minute, as the fields show it. */
function rangeOf(from: Date | null, to: Date | null): string | null {
  return from && to && JSON.stringify({ from: minuteOf(from), to: minuteOf(to) });
}

const minuteOf = (at: Date) => new Date(Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS).toISOString();
