"use client";

import { useState } from "react";
import {
  isFromStop,
  type Repetition,
  repeatableSteps,
  repetitions,
  splitAsPlanned,
  standingSteps,
  stoppedAt,
} from "@/components/domain/run/rerun-split";
import { thisRun } from "@/components/domain/run/things";
import { ActDialog } from "@/components/parts/submit/act-dialog";
import { SAY_WHY, useReason } from "@/components/parts/submit/use-reason";
import { tell } from "@/components/parts/toasts/tell";
import { Callout } from "@/components/ui/feedback/callout";
import { Checkbox } from "@/components/ui/form/checkbox";
import { TextField } from "@/components/ui/form/text-field";
import { DialogSection } from "@/components/ui/overlay/dialog";
import { WORDS } from "@/lib/actions/words";
import type { Step } from "@/lib/api/contract/run";
import { plural } from "@/lib/format";
import { PlanOfOne } from "./plan-of-one";
import { RerunPlan } from "./rerun-plan";
import type { FrozenRun } from "./use-frozen-run";
import { usePlannedAct } from "./use-planned-act";
import { VersionChoice } from "./version-choice";

const TYPED_WORD = "fresh keys";

const DESCRIPTIONS = {
  sameKeys: "In the same run: nothing is deleted, and providers see the same idempotency keys.",
  freshKeys: "In the same run: nothing is deleted, but providers see new idempotency keys.",
};

/** Reruns in the same run: results before the step are kept, and so are the idempotency keys that providers know. */
export function RerunDialog({
  frozen,
  fromStep,
  onClose,
}: {
  frozen: FrozenRun;
  fromStep?: string;
  onClose: () => void;
}) {
  const { run } = frozen;
  const [chosen, setChosen] = useState(fromStep ?? stoppedAt(run) ?? standingSteps(run.steps)[0]?.name ?? "");
  const [version, setVersion] = useState<number | null>(null);
  const [onlyBranch, setOnlyBranch] = useState(false);
  const [freshKeys, setFreshKeys] = useState(false);
  const [typed, setTyped] = useState("");
  const reason = useReason(SAY_WHY);
  const repeatable = repeatableSteps(run);
  const params = {
    ...(isFromStop(run, chosen) ? {} : { fromStep: chosen }),
    ...(onlyBranch && !isFromStop(run, chosen) && { scope: "branch" as const }),
    ...(freshKeys && { freshKeys }),
    ...(version !== null && { version }),
  };
  const planned = usePlannedAct(frozen, { act: "rerun", params }, () => {
    tell(`Rerunning from ${chosen}`, {
      about: thisRun(run),
      description: freshKeys ? "Earlier results are kept." : "Earlier results and the idempotency keys are kept.",
    });
    onClose();
  });
  const split = splitAsPlanned(run, chosen, planned.item?.again);
  const risky = repetitions(split.again, freshKeys);
  return (
    <ActDialog
      wide
      title={
        <>
          Rerun from <span className="font-mono text-[14px]">{chosen}</span>
        </>
      }
      description={freshKeys ? DESCRIPTIONS.freshKeys : DESCRIPTIONS.sameKeys}
      submit={repeatable.length > 0 ? `Rerun with the same ${repeatable.length === 1 ? "key" : "keys"}` : "Rerun"}
      tone={risky.length > 0 ? "danger" : "primary"}
      {...planned.frame}
      blocked={planned.frame.blocked || (freshKeys && typed.trim().toLowerCase() !== TYPED_WORD)}
      frozen={frozen}
      onSubmit={() => reason.check() && planned.submit(reason.text)}
      onClose={onClose}
    >
      <DialogSection className="grid gap-2">
        <RerunPlan
          run={run}
          split={split}
          fromStep={chosen}
          freshKeys={freshKeys}
          version={version}
          onChoose={setChosen}
        />
        <PlanOfOne {...planned} />
      </DialogSection>
      <DialogSection className="grid gap-3">
        {!isFromStop(run, chosen) && (
          <Checkbox
            checked={onlyBranch}
            onChange={setOnlyBranch}
            label="Only this step and the steps after it"
            hint="Steps that started in parallel with it keep their results."
          />
        )}
        {repeatable.length > 0 && <SameKey steps={repeatable} />}
        {risky.length > 0 && <Repeated repetitions={risky} />}
        <VersionChoice run={run} version={version} onChoose={setVersion} />
        <TextField {...reason.field} placeholder={WORDS.rerun.plan.reason} maxLength={2_000} />
        <FreshKeys checked={freshKeys} onCheck={setFreshKeys} typed={typed} onType={setTyped} />
      </DialogSection>
    </ActDialog>
  );
}

const NAMED = 5;

function Repeated({ repetitions }: { repetitions: Repetition[] }) {
  const rest = repetitions.length - NAMED;
  return (
    <Callout tone="red" title="This can happen a second time">
      <ul>
        {repetitions.slice(0, NAMED).map(({ step, why }) => (
          <li key={step.name} className="break-words">
            <span className="font-mono text-small">{step.name}</span>: {why}
          </li>
        ))}
        {rest > 0 && <li>and {plural(rest, "more step")}</li>}
      </ul>
    </Callout>
  );
}

/** Unknown outcomes that need not be resolved before the rerun. */
function SameKey({ steps }: { steps: Step[] }) {
  const names = steps.map(({ name }) => name);
  const rest = names.length - NAMED;
  return (
    <Callout tone="accent" title="Called again with the same key">
      <span className="break-words font-mono text-small">{names.slice(0, NAMED).join(", ")}</span>
      {rest > 0 && ` and ${plural(rest, "more step")}`}: the outcome is unknown. If the call took effect, the provider
      recognizes the key and does not repeat it.
    </Callout>
  );
}

interface FreshKeysProps {
  checked: boolean;
  onCheck: (checked: boolean) => void;
  typed: string;
  onType: (text: string) => void;
}

function FreshKeys({ checked, onCheck, typed, onType }: FreshKeysProps) {
  return (
    <>
      <Checkbox
        checked={checked}
        onChange={onCheck}
        label="Use fresh idempotency keys"
        hint="Only if the provider rejects the old keys: it treats each call as new, and a charge can happen twice."
      />
      {checked && (
        <TextField
          label={
            <>
              Type <b className="font-semibold text-ink">{TYPED_WORD}</b> to continue
            </>
          }
          value={typed}
          onChange={(event) => onType(event.target.value)}
        />
      )}
    </>
  );
}
