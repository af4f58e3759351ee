"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { tell } from "../toasts/tell";
import { thisRun } from "../toasts/things";
import { Callout } from "../ui/callout";
import { DialogSection } from "../ui/dialog";
import { TextArea, TextField } from "../ui/text-field";
import { ActDialog } from "./act-dialog";
import { parseJson } from "./parse-json";
import { PlanOfOne } from "./plan-of-one";
import { standingSteps } from "./rerun-split";
import type { FrozenRun } from "./use-frozen-run";
import { usePlannedAct } from "./use-planned-act";
import { SAY_WHY, useReason } from "./use-reason";

/** A masked value as the input shows it; the server takes none back. */
const MASKED = /"\$type": "masked"/;

/** All of the work again in a run of its own, with the same input or an edited one; each run names the other. */
export function StartAgainDialog({ frozen, onClose }: { frozen: FrozenRun; onClose: () => void }) {
  const router = useRouter();
  const { run } = frozen;
  const [began] = useState(() => JSON.stringify(run.input, null, 2));
  const [input, setInput] = useState(began);
  const reason = useReason(SAY_WHY);
  const parsed = parseJson(input);
  const params = input !== began && parsed.ok ? { input: parsed.value ?? {} } : {};
  const planned = usePlannedAct(frozen, { act: "start_again", params }, ({ startedAs: [id] }) => {
    tell("A new run is started", {
      about: thisRun(run),
      description: "stays as it is, and each names the other.",
    });
    onClose();
    if (id !== undefined) router.push(`/runs/${id}`);
  });
  const done = standingSteps(run.steps).filter(
    ({ status, kind, effect }) => status === "completed" && kind === "step" && effect !== "pure",
  );
  return (
    <ActDialog
      wide
      title="Start a new run"
      description="Every step runs, with keys of its own: receivers take each call for a new one."
      submit="Start the new run"
      tone={done.length > 0 ? "danger" : "primary"}
      {...planned.frame}
      blocked={planned.frame.blocked || !parsed.ok}
      frozen={frozen}
      onSubmit={() => reason.check() && planned.submit(reason.text)}
      onClose={onClose}
    >
      <DialogSection className="grid gap-3">
        {done.length > 0 && (
          <Callout tone="red" title="This happened already, and would happen a second time">
            <p className="break-words font-mono text-small">{done.map(({ name }) => name).join(", ")}</p>
          </Callout>
        )}
        <TextArea
          label="Input (JSON)"
          mono
          rows={8}
          value={input}
          onChange={(event) => setInput(event.target.value)}
          error={parsed.ok ? undefined : parsed.error}
          hint={
            MASKED.test(began) ? "Left as it is, masked values go along. Edited, each has to be written in." : undefined
          }
        />
        <PlanOfOne {...planned} />
        <TextField {...reason.field} label="Why (it stands in the audit)" placeholder="The address was wrong" />
      </DialogSection>
    </ActDialog>
  );
}
