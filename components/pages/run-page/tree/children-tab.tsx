"use client";

import { Network } from "lucide-react";
import { useQueryState } from "nuqs";
import { RUN_LOOKS } from "@/components/domain/run/run-looks";
import { RootCause } from "@/components/domain/run-preview/root-cause";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import type { Run } from "@/lib/api/contract/run";
import { RUN_STATUSES, type RunStatus } from "@/lib/engine/runs/run";
import { formatCount } from "@/lib/format";
import { runPageUrl } from "../address/run-url";
import { ChildTree } from "./child-tree";

/** What this run has started, and what that has started: a tree that opens level by level. */
export function ChildrenTab({ run }: { run: Run }) {
  const [chosen, setChosen] = useQueryState("children", runPageUrl.children);
  const status = chosen ?? undefined;
  if (run.children.total === 0)
    return (
      <EmptyState icon={<Network aria-hidden />} title="No child runs">
        Runs that this run starts are listed here, each with its own page.
      </EmptyState>
    );
  return (
    <div className="grid max-w-[1080px] gap-3 px-4 py-3.5 md:px-6">
      <RootCause run={run} />
      <StatusFilter run={run} chosen={status} onChoose={(next) => void setChosen(next ?? null)} />
      <ChildTree run={run} status={status} />
    </div>
  );
}

interface StatusFilterProps {
  run: Run;
  chosen: RunStatus | undefined;
  onChoose: (status: RunStatus | undefined) => void;
}

function StatusFilter({ run, chosen, onChoose }: StatusFilterProps) {
  const { byStatus, total, capped } = run.children;
  const shown = RUN_STATUSES.filter((status) => byStatus[status] > 0 || status === chosen);
  const chip = (status: RunStatus | undefined, text: string) => (
    <Button
      key={text}
      size="small"
      variant={chosen === status ? "primary" : "secondary"}
      aria-pressed={chosen === status}
      onClick={() => onChoose(chosen === status ? undefined : status)}
    >
      {text}
    </Button>
  );
  return (
    <fieldset className="flex flex-wrap gap-1.5">
      <legend className="sr-only">Children by status</legend>
      {chip(undefined, `All ${formatCount(total)}${capped ? "+" : ""}`)}
      {shown.map((status) => chip(status, `${RUN_LOOKS[status].word} ${formatCount(byStatus[status])}`))}
    </fieldset>
  );
}
