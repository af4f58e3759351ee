"use client";

import { useState } from "react";
import { standingSteps } from "@/components/domain/run/rerun-split";
import { thisRun } from "@/components/domain/run/things";
import { ActDialog } from "@/components/parts/submit/act-dialog";
import { SAY_WHY, useReason } from "@/components/parts/submit/use-reason";
import { InstantField } from "@/components/parts/time/instant-field";
import { useTimes } from "@/components/parts/time/viewer-formats";
import { tell } from "@/components/parts/toasts/tell";
import { ChoiceCards } from "@/components/ui/form/choice-cards";
import { NativeSelect } from "@/components/ui/form/native-select";
import { TextField } from "@/components/ui/form/text-field";
import { DialogSection } from "@/components/ui/overlay/dialog";
import { snoozesOf } from "@/lib/actions/snooze";
import { WORDS } from "@/lib/actions/words";
import type { Run } from "@/lib/api/contract/run";
import { PlanOfOne } from "./plan-of-one";
import { tomorrowAtNine } from "./tomorrow-at-nine";
import type { FrozenRun } from "./use-frozen-run";
import { usePlannedAct } from "./use-planned-act";

const HOUR_MS = 3_600_000;
const CHOICES = [
  { value: "hour" as const, text: "For one hour" },
  { value: "tomorrow" as const, text: "Until tomorrow, 9:00" },
  { value: "change" as const, text: "Until it changes" },
  { value: "time" as const, text: "Until a time" },
];
const END = { value: "now" as const, text: "End the snooze" };
type When = (typeof CHOICES)[number]["value"] | "now";

/** Leaves the run, or one compensation of it, out of what needs attention. */
export function SnoozeDialog({ frozen, step: preset, onClose }: SnoozeDialogProps) {
  const { run } = frozen;
  const { zone } = useTimes();
  const reason = useReason(SAY_WHY);
  // The times of the choices are those of the opening: each render would make another plan.
  const [now] = useState(Date.now);
  const [step, setStep] = useState(preset ?? "");
  const [when, setWhen] = useState<When>("hour");
  const [at, setAt] = useState<Date | null>(null);
  const isSnoozed = snoozesOf(run, now).some((one) => (one.step ?? "") === step);
  const until = {
    hour: () => new Date(now + HOUR_MS).toISOString(),
    tomorrow: () => new Date(tomorrowAtNine(now, zone)).toISOString(),
    change: () => undefined,
    time: () => at?.toISOString(),
    now: () => "now" as const,
  }[when]();
  const params = { ...(step !== "" && { step }), ...(until !== undefined && { until }) };
  const isComplete = when !== "time" || at !== null;
  const planned = usePlannedAct(frozen, isComplete ? { act: "snooze", params } : null, (after) => {
    tell(when === "now" ? "The snooze is over" : "Snoozed", { about: thisRun(after) });
    onClose();
  });
  return (
    <ActDialog
      title="Snooze"
      description="Hides it from what needs attention until the time, or until it changes."
      submit={when === "now" ? "End the snooze" : "Snooze"}
      {...planned.frame}
      frozen={frozen}
      onSubmit={() => reason.check() && planned.submit(reason.text)}
      onClose={onClose}
    >
      <DialogSection className="grid gap-3">
        <What run={run} step={step} onChoose={setStep} />
        <ChoiceCards
          label="How long"
          value={when}
          onChange={setWhen}
          choices={isSnoozed ? [...CHOICES, END] : CHOICES}
          className="md:grid-cols-2"
        />
        {when === "time" && <InstantField label="Until" value={at} onChange={setAt} />}
        <PlanOfOne {...planned} />
        <TextField {...reason.field} placeholder={WORDS.snooze.plan.reason} />
      </DialogSection>
    </ActDialog>
  );
}

interface SnoozeDialogProps {
  frozen: FrozenRun;
  step?: string | undefined;
  onClose: () => void;
}

/** Nothing to choose where the run has no open compensation. */
function What({ run, step, onChoose }: { run: Run; step: string; onChoose: (step: string) => void }) {
  const open = standingSteps(run.steps).filter(({ compensation }) =>
    ["owed", "running", "failed"].includes(compensation.status),
  );
  if (open.length === 0) return null;
  return (
    <NativeSelect
      label="What"
      value={step}
      onChange={({ target }) => onChoose(target.value)}
      options={[
        { value: "", text: "The run, with its compensations" },
        ...open.map(({ name }) => ({ value: name, text: `The compensation of ${name}` })),
      ]}
    />
  );
}
