"use client";

import { useState } from "react";
import { thisRun } from "@/components/domain/run/things";
import { ActDialog } from "@/components/parts/submit/act-dialog";
import { SAY_WHY, useReason } from "@/components/parts/submit/use-reason";
import { tell } from "@/components/parts/toasts/tell";
import { TextField } from "@/components/ui/form/text-field";
import { DialogSection } from "@/components/ui/overlay/dialog";
import { WORDS } from "@/lib/actions/words";
import { PlanOfOne } from "./plan-of-one";
import type { FrozenRun } from "./use-frozen-run";
import { usePlannedAct } from "./use-planned-act";
import { VersionChoice } from "./version-choice";

/** Moves a run that has not ended to another version of its code, if its history fits there. */
export function MoveDialog({ frozen, onClose }: { frozen: FrozenRun; onClose: () => void }) {
  const { run } = frozen;
  const [version, setVersion] = useState<number | null>(null);
  const reason = useReason(SAY_WHY);
  const chosen = version ?? run.chosenVersion ?? run.codeVersion;
  const planned = usePlannedAct(frozen, { act: "move", params: { version: chosen } }, () => {
    tell(`The run continues with version ${chosen}`, { about: thisRun(run) });
    onClose();
  });
  return (
    <ActDialog
      title="Move this run to another version"
      description="From now on only workers with that version continue this run. Its results are kept."
      submit="Move the run"
      {...planned.frame}
      blocked={planned.frame.blocked || version === null}
      frozen={frozen}
      onSubmit={() => reason.check() && planned.submit(reason.text)}
      onClose={onClose}
    >
      <DialogSection className="grid gap-3">
        <VersionChoice run={run} version={version} onChoose={setVersion} />
        {version !== null && <PlanOfOne {...planned} />}
        <TextField {...reason.field} placeholder={WORDS.move.plan.reason} />
      </DialogSection>
    </ActDialog>
  );
}
