"use client";

import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { Checkbox } from "@/components/ui/form/checkbox";
import { NativeSelect } from "@/components/ui/form/native-select";
import { Segmented } from "@/components/ui/form/segmented";
import { TextField } from "@/components/ui/form/text-field";
import { Disclosure } from "@/components/ui/layout/disclosure";
import { DialogSection } from "@/components/ui/overlay/dialog";
import { WORDS } from "@/lib/actions/words";
import type { Plan, PlanRequest } from "@/lib/api/contract/plans";
import { workflowsQuery } from "@/lib/api/hooks/queries";
import type { PlannedActName } from "@/lib/engine/runs/operator-acts";
import { plural } from "@/lib/format";
import { BULK_ACTS, verbOf } from "./operation-words";
import { type PlanParams, stepsToRerunFrom, workflowOf } from "./plan-words";

interface ActChoiceProps {
  act: PlannedActName;
  onChoose: (act: PlannedActName) => void;
}

/** The preselected action if no button chose one. */
export function ActChoice({ act, onChoose }: ActChoiceProps) {
  return (
    <DialogSection className="grid gap-2">
      <Segmented
        label="Action"
        value={act}
        onChange={onChoose}
        options={BULK_ACTS.map((value) => ({ value, text: verbOf(value) }))}
      />
      <p className="text-ink-2">{WORDS[act].plan.note ?? WORDS[act].does}</p>
    </DialogSection>
  );
}

interface ActParamsProps {
  act: PlannedActName;
  params: PlanParams;
  onChange: (params: PlanParams) => void;
  /** Absent while it is being made. */
  plan: Plan | undefined;
  selection: PlanRequest["selection"];
}

/** The parameters of the action. Users who do not open the section get the defaults. */
export function ActParams(props: ActParamsProps) {
  switch (props.act) {
    case "rerun":
      return <RerunParams {...props} />;
    case "pause":
      return (
        <DialogSection>
          <Checkbox
            checked={props.params.children === true}
            onChange={(checked) => props.onChange(checked ? { children: true } : {})}
            label="Also pause their child runs"
          />
        </DialogSection>
      );
    case "move":
      return (
        <DialogSection>
          <VersionOfAll
            workflow={workflowOf(props.selection, props.plan?.items)}
            version={typeof props.params.version === "number" ? props.params.version : null}
            onChoose={(version) => version !== null && props.onChange({ version })}
          />
        </DialogSection>
      );
    default:
      return null;
  }
}

function RerunParams({ params, onChange, plan, selection }: ActParamsProps) {
  const listId = useId();
  const { fromStep, freshKeys, version, ...others } = params;
  const change = (next: PlanParams) => {
    const all = { fromStep, freshKeys, version, ...others, ...next };
    onChange(Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)));
  };
  return (
    <DialogSection>
      <Disclosure summary="From another step, with another version, with fresh keys">
        <div className="grid gap-3 pt-2">
          <TextField
            label="From the step named"
            mono
            list={listId}
            placeholder="each from the step that failed"
            value={typeof fromStep === "string" ? fromStep : ""}
            onChange={({ target }) => change({ fromStep: target.value === "" ? undefined : target.value })}
            hint="Reruns that step and all later ones. Runs without it are left out."
          />
          <datalist id={listId}>
            {plan && stepsToRerunFrom(plan.items).map((step) => <option key={step} value={step} />)}
          </datalist>
          <VersionOfAll
            workflow={workflowOf(selection, plan?.items)}
            version={typeof version === "number" ? version : null}
            onChoose={(chosen) => change({ version: chosen ?? undefined })}
          />
          <Checkbox
            checked={freshKeys === true}
            onChange={(checked) => change({ freshKeys: checked || undefined })}
            label="Use fresh idempotency keys"
            hint="Only if the provider rejects the old keys: it treats each call as new, and a charge can happen twice."
          />
        </div>
      </Disclosure>
    </DialogSection>
  );
}

interface VersionOfAllProps {
  workflow: string | null;
  version: number | null;
  onChoose: (version: number | null) => void;
}

/** Nothing where the runs are of several workflows, or theirs has one version. */
function VersionOfAll({ workflow, version, onChoose }: VersionOfAllProps) {
  const known = useQuery(workflowsQuery()).data?.workflows.filter(({ name }) => name === workflow) ?? [];
  if (known.length < 2) return null;
  return (
    <NativeSelect
      label="Version"
      value={version ?? ""}
      onChange={({ target }) => onChoose(target.value === "" ? null : Number(target.value))}
      options={[
        { value: "", text: "unchanged, each with its current version" },
        ...known.map((one) => ({
          value: String(one.version),
          text: `version ${one.version}, ${one.versionWorkers === 0 ? "no live worker" : plural(one.versionWorkers, "worker")}`,
          disabled: one.versionWorkers === 0,
        })),
      ]}
    />
  );
}
