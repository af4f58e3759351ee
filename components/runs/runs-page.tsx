"use client";

import { Plus, ShieldCheck } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useRunCounts } from "@/lib/api/hooks/read-hooks";
import { PermittedButton } from "../access/permitted-button";
import { effectsHref } from "../effects/effect-url";
import { PlanDialog } from "../operations/plan-dialog-later";
import { TopBar } from "../shell/top-bar";
import { StartRunDialog } from "../start/start-run-dialog-later";
import { Button } from "../ui/button";
import { SIDE_BY_SIDE, useMediaQuery } from "../ui/use-media-query";
import { ColumnChooser } from "./column-chooser";
import { RunPreview } from "./run-preview";
import { RunSearch } from "./run-search";
import { isFiltered } from "./run-url";
import { RunsList } from "./runs-list";
import { StatusChips } from "./status-chips";
import { useDensity } from "./use-density";
import { useRunColumns } from "./use-run-columns";
import { useRunSelection } from "./use-run-selection";
import { useRunUrl } from "./use-run-url";
import { useSteadyRuns } from "./use-steady-runs";
import { ViewSwitcher } from "./view-switcher";
import { WorkflowFilter } from "./workflow-filter";

/** Every run, filtered by the address; the list at left, the chosen run at right. */
export function RunsPage() {
  const router = useRouter();
  const page = useRunUrl();
  const steady = useSteadyRuns(page.filter, page.paths);
  const counts = useRunCounts(page.countFilter);
  const columns = useRunColumns(page);
  const [density, setDensity] = useDensity();
  const selection = useRunSelection(JSON.stringify(page.filter), steady.runs);
  const wide = useMediaQuery(SIDE_BY_SIDE);
  const [starting, setStarting] = useState(false);
  const [planning, setPlanning] = useState(false);
  const { run: selected } = page.url;
  const openFirst = () => steady.runs[0] && router.push(`/runs/${steady.runs[0].id}`);
  return (
    <>
      <TopBar
        title="Runs"
        crumb={<ViewSwitcher url={page.url} setUrl={page.setUrl} />}
        actions={
          <PermittedButton action="run.start" onClick={() => setStarting(true)} aria-label="Start a run">
            <Plus aria-hidden className="size-3.5" />
            <span className="max-sm:hidden">Start a run</span>
          </PermittedButton>
        }
      />
      <div className="flex flex-wrap items-center gap-2 px-4 pt-3 md:px-6">
        <RunSearch url={page.url} setUrl={page.setUrl} onEnter={openFirst} />
        <WorkflowFilter url={page.url} setUrl={page.setUrl} />
        <Button asChild variant="ghost">
          <Link href={effectsHref(page.url)} prefetch={false} aria-label="Effects of these runs">
            <ShieldCheck aria-hidden className="size-3.5" />
            <span className="max-md:hidden">Effects</span>
          </Link>
        </Button>
        <ColumnChooser columns={columns} runs={steady.runs} density={density} onDensity={setDensity} />
        {page.url.problem && (
          <Link href={`/problems/${page.url.problem}`} className="text-accent hover:underline">
            Held by a problem
          </Link>
        )}
        {isFiltered(page.filter) && (
          <>
            <Button variant="ghost" onClick={page.clear}>
              Clear
            </Button>
            <PermittedButton action="plan.make" onClick={() => setPlanning(true)}>
              Act on all that match…
            </PermittedButton>
          </>
        )}
      </div>
      <StatusChips url={page.url} setUrl={page.setUrl} counts={counts.data} />
      <div className="flex min-h-0 flex-1 border-line border-t">
        <RunsList
          page={page}
          steady={steady}
          columns={columns}
          density={density}
          selection={selection}
          onStart={() => setStarting(true)}
        />
        {selected && wide && (
          <aside aria-label="Inspector" className="w-[380px] shrink-0 overflow-y-auto border-line border-l bg-panel">
            <RunPreview key={selected} runId={selected} onClose={() => page.select(null)} />
          </aside>
        )}
      </div>
      <PlanDialog selection={{ filter: page.filter }} open={planning} onOpenChange={setPlanning} />
      {starting && <StartRunDialog onClose={() => setStarting(false)} />}
    </>
  );
}
