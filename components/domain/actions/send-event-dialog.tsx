"use client";

import { useState } from "react";
import { standingSteps } from "@/components/domain/run/rerun-split";
import { thisRun } from "@/components/domain/run/things";
import { ActDialog } from "@/components/parts/submit/act-dialog";
import { SAY_WHY, useReason } from "@/components/parts/submit/use-reason";
import { tell } from "@/components/parts/toasts/tell";
import { parseJson } from "@/components/parts/values/parse-json";
import { Callout } from "@/components/ui/feedback/callout";
import { TextArea, TextField } from "@/components/ui/form/text-field";
import { DialogSection } from "@/components/ui/overlay/dialog";
import { WORDS } from "@/lib/actions/words";
import { PlanOfOne } from "./plan-of-one";
import type { FrozenRun } from "./use-frozen-run";
import { usePlannedAct } from "./use-planned-act";

interface SendEventDialogProps {
  frozen: FrozenRun;
  event?: string;
  onClose: () => void;
}

/** Sends an event to one run, for a step that waits for it now or later. */
export function SendEventDialog({ frozen, event, onClose }: SendEventDialogProps) {
  const { run } = frozen;
  const waited = standingSteps(run.steps).flatMap(({ status, wait }) =>
    status === "waiting" && wait?.event ? [wait.event] : [],
  );
  const [name, setName] = useState(event ?? waited[0] ?? "");
  const [payload, setPayload] = useState("");
  const reason = useReason(SAY_WHY);
  const parsed = parseJson(payload);
  const params = { name: name.trim(), payload: parsed.ok ? (parsed.value ?? null) : null };
  const planned = usePlannedAct(frozen, params.name === "" ? null : { act: "send_event", params }, () => {
    tell(`The event ${name} is sent`, { about: thisRun(run) });
    onClose();
  });
  return (
    <ActDialog
      title="Send an event to this run"
      description="A step that waits for it continues with the payload. Without one, the event is kept until a step waits for it."
      submit="Send the event"
      {...planned.frame}
      frozen={frozen}
      onSubmit={() => reason.check() && parsed.ok && planned.submit(reason.text)}
      onClose={onClose}
    >
      <DialogSection className="grid gap-3">
        {name.trim() !== "" && !waited.includes(name.trim()) && (
          <Callout tone="gray">No step waits for this event now: it is kept for a later one.</Callout>
        )}
        <TextField label="Event" mono value={name} onChange={(change) => setName(change.target.value)} />
        <TextArea
          label="Payload (JSON; nothing is null)"
          mono
          rows={4}
          value={payload}
          onChange={(change) => setPayload(change.target.value)}
          error={parsed.ok ? undefined : parsed.error}
        />
        {params.name !== "" && <PlanOfOne {...planned} />}
        <TextField {...reason.field} placeholder={WORDS.send_event.plan.reason} />
      </DialogSection>
    </ActDialog>
  );
}
