"use client";

import { RadioGroup } from "radix-ui";
import { useId } from "react";
import { type RerunSplit, standingSteps } from "@/components/domain/run/rerun-split";
import { lookOfStep } from "@/components/domain/run/step-looks";
import { StatusLabel } from "@/components/parts/status/status-label";
import { TextField } from "@/components/ui/form/text-field";
import { MiddleText } from "@/components/ui/text/middle-text";
import type { Run, Step } from "@/lib/api/contract/run";
import { classNames } from "@/lib/class-names";
import type { StepKind, StepStatus } from "@/lib/engine/steps/step";
import { plural } from "@/lib/format";

/** Up to here every step is a row to choose; beyond, the step is named and its neighbourhood shown. */
const LISTED = 40;
const BEFORE = 3;
const AFTER = 12;

interface RerunPlanProps {
  run: Run;
  split: RerunSplit;
  fromStep: string;
  freshKeys: boolean;
  /** The chosen version; null: unchanged. */
  version: number | null;
  onChoose: (step: string) => void;
}

/** Picker and preview in one: choosing a row shows at once which results stay and what runs again. */
export function RerunPlan({ run, split, fromStep, freshKeys, version, onChoose }: RerunPlanProps) {
  const standing = standingSteps(run.steps);
  const { kept, again } = split;
  const keptNames = new Set(kept.map(({ name }) => name));
  const many = standing.length > LISTED;
  const at = standing.findIndex(({ name }) => name === fromStep);
  const shown = many ? standing.slice(Math.max(0, at - BEFORE), at + AFTER) : standing;
  return (
    <div className="grid gap-2">
      <p className="text-ink-2">
        <b className="font-semibold text-ink">{kept.length === 0 ? "No result" : plural(kept.length, "result")}</b>{" "}
        kept, <b className="font-semibold text-ink">{plural(again.length, "step")}</b> again, and every later step
        {version !== null && <b className="font-semibold text-ink">, by version {version}</b>}.
      </p>
      {many && <StepByName steps={standing} onChoose={onChoose} />}
      <RadioGroup.Root
        aria-label="Rerun from"
        value={fromStep}
        onValueChange={onChoose}
        className="overflow-hidden rounded-lg border border-line-strong"
      >
        {shown.map((step) => (
          <PlanRow
            key={step.name}
            step={step}
            chosen={step.name === fromStep}
            kept={keptNames.has(step.name)}
            freshKeys={freshKeys}
          />
        ))}
      </RadioGroup.Root>
      {many && (
        <p className="text-ink-3 text-small">
          {plural(shown.length, "step")} of {plural(standing.length, "step")} shown.
        </p>
      )}
    </div>
  );
}

function PlanRow({
  step,
  chosen,
  kept,
  freshKeys,
}: {
  step: Step;
  chosen: boolean;
  kept: boolean;
  freshKeys: boolean;
}) {
  const id = useId();
  return (
    <RadioGroup.Item
      value={step.name}
      aria-labelledby={`${id}-name`}
      aria-describedby={`${id}-fate`}
      data-ring="inside"
      className={classNames(
        "flex min-h-11 w-full items-center gap-2.5 border-line border-b px-3 py-1 text-left last:border-b-0 md:min-h-9",
        kept ? "hover:bg-sunken" : "bg-accent-soft",
      )}
    >
      <span
        className="grid size-3.5 shrink-0 place-items-center rounded-full border border-field data-[on=true]:border-accent"
        data-on={chosen}
      >
        {chosen && <span data-drawn className="size-2 rounded-full bg-accent" />}
      </span>
      <StatusLabel look={lookOfStep(step)} shapeOnly />
      <span id={`${id}-name`} className="flex min-w-0">
        <MiddleText text={step.name} className="font-mono text-small" />
      </span>
      <span id={`${id}-fate`} className={classNames("ml-auto shrink-0 text-small", kept ? "text-ink-3" : "text-ink-2")}>
        {fateOf(step, kept, freshKeys)}
      </span>
    </RadioGroup.Item>
  );
}

const KEPT_FATES = {
  completed: "result kept",
  skipped: "stays skipped",
  failed: "failure kept",
  unknown: "stays unknown",
  running: "goes on",
  waiting: "goes on",
} as const satisfies Record<StepStatus, string>;

const AGAIN_FATES = {
  step: null,
  transaction: "commits again",
  sleep: "sleeps again",
  event: "waits again",
  approval: "asks again",
  child: "runs again",
  cancel: "cancels again",
  send: "sends again",
  publish: "publishes again",
} as const satisfies Record<StepKind, string | null>;

/** What happens to the step, as short as possible. */
export function fateOf(step: Step, kept: boolean, freshKeys: boolean): string {
  if (kept) return KEPT_FATES[step.status];
  const ofKind = AGAIN_FATES[step.kind];
  if (ofKind !== null) return ofKind;
  if (step.effect === "pure") return "runs again";
  if (step.effect === "once") return "runs again · unprotected";
  return freshKeys ? "runs again · fresh key" : "runs again · same key";
}

function StepByName({ steps, onChoose }: { steps: Step[]; onChoose: (step: string) => void }) {
  const names = new Set(steps.map(({ name }) => name));
  return (
    <TextField
      label="Rerun from the step named"
      mono
      placeholder={steps[0]?.name}
      onChange={(event) => {
        const name = event.target.value.trim();
        if (names.has(name)) onChoose(name);
      }}
    />
  );
}
