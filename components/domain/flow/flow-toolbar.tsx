"use client";

import { useQuery } from "@tanstack/react-query";
import { NativeSelect } from "@/components/ui/form/native-select";
import { Segmented } from "@/components/ui/form/segmented";
import { workflowsQuery } from "@/lib/api/hooks/queries";
import { FLOW_WINDOW_NAMES, type FlowWindow } from "@/lib/engine/flow/rollup";
import { REFRESH_NAMES, REFRESHES } from "./flow-url";

type Refresh = (typeof REFRESH_NAMES)[number];

interface FlowToolbarProps {
  window: FlowWindow;
  refresh: Refresh;
  onWindow: (window: FlowWindow) => void;
  onRefresh: (refresh: Refresh) => void;
  /** Absent where the page is of one workflow. */
  workflow?: { chosen: readonly string[]; onChoose: (workflow: string | null) => void };
}

const WINDOWS = FLOW_WINDOW_NAMES.map((value) => ({ value, text: value.replace(/(\D+)$/, "\u00a0$1") }));
const REFRESH_OPTIONS = REFRESH_NAMES.map((value) => ({ value, text: `Refresh: ${REFRESHES[value].text}` }));

/** The time range, the workflow, and the refresh interval. */
export function FlowToolbar({ window, refresh, onWindow, onRefresh, workflow }: FlowToolbarProps) {
  return (
    <div className="flex flex-wrap items-end gap-x-3 gap-y-2">
      <Segmented label="Window" value={window} onChange={onWindow} options={WINDOWS} />
      <span className="flex-1 max-md:hidden" />
      {workflow && <WorkflowChoice {...workflow} />}
      <NativeSelect
        label={<span className="sr-only">Refresh</span>}
        className="w-36 max-md:flex-1"
        value={refresh}
        options={REFRESH_OPTIONS}
        onChange={({ target }) => onRefresh(target.value as Refresh)}
      />
    </div>
  );
}

function WorkflowChoice({ chosen, onChoose }: NonNullable<FlowToolbarProps["workflow"]>) {
  const { data } = useQuery(workflowsQuery());
  const titles = new Map<string, string>();
  for (const { name, title } of data?.workflows ?? []) if (!titles.has(name)) titles.set(name, title);
  const [one] = chosen;
  // A workflow that no worker has registered, or several from a link, are shown as they are in the URL.
  const value = chosen.join(",");
  if (one !== undefined && !titles.has(value)) titles.set(value, value);
  const options = [...titles].map(([name, text]) => ({ value: name, text }));
  return (
    <NativeSelect
      label={<span className="sr-only">Workflow</span>}
      className="w-52 max-md:flex-1"
      value={value}
      options={[{ value: "", text: "All workflows" }, ...options.sort((a, b) => a.text.localeCompare(b.text))]}
      onChange={({ target }) => onChoose(target.value || null)}
    />
  );
}
