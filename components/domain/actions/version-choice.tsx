"use client";

import { useQuery } from "@tanstack/react-query";
import { NativeSelect } from "@/components/ui/form/native-select";
import type { Run } from "@/lib/api/contract/run";
import { workflowsQuery } from "@/lib/api/hooks/queries";
import { plural } from "@/lib/format";

interface VersionChoiceProps {
  run: Run;
  /** Null: unchanged. */
  version: number | null;
  onChoose: (version: number | null) => void;
}

/**
 * Which version of the code continues the run; renders nothing if there is no other. Versions without a live worker are
 * marked.
 */
export function VersionChoice({ run, version, onChoose }: VersionChoiceProps) {
  const { data } = useQuery(workflowsQuery());
  const known = data?.workflows.filter(({ name }) => name === run.workflow) ?? [];
  const asBefore = run.chosenVersion ?? run.codeVersion;
  if (known.every((one) => one.version === asBefore)) return null;
  return (
    <NativeSelect
      label="Version"
      value={version ?? ""}
      onChange={(event) => onChoose(event.target.value === "" ? null : Number(event.target.value))}
      options={[
        { value: "", text: `as before: version ${asBefore}${run.chosenVersion === null ? ", or the newest" : ""}` },
        ...known.map((one) => ({
          value: String(one.version),
          text: `version ${one.version}, ${one.versionWorkers === 0 ? "no live worker" : plural(one.versionWorkers, "worker")}`,
          disabled: one.versionWorkers === 0,
        })),
      ]}
      hint={
        version === null
          ? undefined
          : `From now on only workers with version ${version} continue this run. If its code leaves out completed steps, the run stops before harm, unless the code allows it.`
      }
    />
  );
}
