"use client";

import { useQuery } from "@tanstack/react-query";
import { Plus, ShieldCheck } from "lucide-react";
import Link from "next/link";
import { useDeferredValue } from "react";
import { MayOpen } from "@/components/domain/access/may-open";
import { PermittedButton } from "@/components/domain/access/permitted-button";
import { effectsHref } from "@/components/domain/effects/effect-url";
import { PlanDialog } from "@/components/domain/operations/plan-dialog-later";
import { isFiltered } from "@/components/domain/run-filter/run-url";
import { RunBeside } from "@/components/domain/run-preview/run-beside";
import { StartRunDialog } from "@/components/domain/start/start-run-dialog-later";
import { TopBar } from "@/components/parts/page/top-bar";
import { Button } from "@/components/ui/button";
import { useDialogUrl } from "@/components/ui/overlay/use-dialog-url";
import type { RunListItem } from "@/lib/api/contract/run";
import { useWhyNot } from "@/lib/api/hooks/access-hooks";
import { runCountsQuery } from "@/lib/api/hooks/queries";
import { titleOfRun } from "@/lib/engine/runs/run-name";
import { useRunUrl } from "./address/use-run-url";
import { ColumnChooser } from "./columns/column-chooser";
import { useDensity } from "./columns/use-density";
import { useRunColumns } from "./columns/use-run-columns";
import { FilterBar } from "./filter/filter-bar";
import { RunHistogram } from "./filter/run-histogram";
import { StatusChips } from "./filter/status-chips";
import { RunsList } from "./list/runs-list";
import { SortMenu } from "./list/sort-menu";
import { useOpenFirst } from "./list/use-open-first";
import { useSteadyRuns } from "./list/use-steady-runs";
import { CopyRows } from "./selection/copy-rows";
import { matching } from "./selection/selection-words";
import { useRunSelection } from "./selection/use-run-selection";
import { ViewSwitcher } from "./views/view-switcher";

/** Every run, filtered by the address; the list at left, the chosen run at right. */
export function RunsPage() {
  const page = useRunUrl();
  const steady = useSteadyRuns(page);
  const counts = useQuery(runCountsQuery(page.countFilter));
  const columns = useRunColumns(page);
  const [density, setDensity] = useDensity();
  const selection = useRunSelection(JSON.stringify(page.filter), steady.runs);
  const { open: dialog, show, close } = useDialogUrl(["start", "plan"]);
  const whyNot = { start: useWhyNot("run.start"), plan: useWhyNot("plan.make") };
  const { run: selected } = page.url;
  // The row is marked at once; what is known of its run may take a moment longer.
  const previewed = useDeferredValue(selected) ?? selected;
  const openFirst = useOpenFirst(page, steady);
  return (
    <>
      <TopBar
        crumb={
          <>
            {/* On a phone, the view's name is what there is room for. */}
            <h1 className="font-semibold text-title tracking-tight max-sm:sr-only">Runs</h1>
            <ViewSwitcher url={page.url} setUrl={page.setUrl} />
          </>
        }
        actions={
          <PermittedButton action="run.start" onClick={() => show("start")} aria-label="Start a run">
            <Plus aria-hidden className="size-3.5" />
            <span className="max-sm:hidden">Start a run</span>
          </PermittedButton>
        }
      />
      <div className="flex flex-wrap items-center gap-2 px-4 pt-3 short:pt-1 md:px-6">
        <FilterBar url={page.url} setUrl={page.setUrl} clear={page.clear} runs={steady.runs} onEnter={openFirst} />
        <SortMenu sort={page.sort} filter={page.filter} setUrl={page.setUrl} />
        <Button asChild variant="ghost">
          <Link href={effectsHref(page.url)} prefetch={false} aria-label="Effects of these runs">
            <ShieldCheck aria-hidden className="size-3.5" />
            <span className="max-md:hidden">Effects</span>
          </Link>
        </Button>
        <ColumnChooser columns={columns} runs={steady.runs} density={density} onDensity={setDensity} />
        <CopyRows runs={steady.runs} columns={columns.definitions} selection={selection} />
        {page.url.problem && (
          <Link href={`/problems/${page.url.problem}`} className="text-accent hover:underline">
            Affected by a problem
          </Link>
        )}
        {isFiltered(page.filter) && (
          <PermittedButton action="plan.make" onClick={() => show("plan")} className="md:ml-auto">
            Bulk action…
          </PermittedButton>
        )}
      </div>
      <StatusChips url={page.url} setUrl={page.setUrl} counts={counts.data} />
      <RunHistogram url={page.url} setUrl={page.setUrl} filter={page.filter} />
      <div className="flex min-h-0 flex-1 border-line border-t">
        <RunsList
          page={page}
          steady={steady}
          columns={columns}
          density={density}
          selection={selection}
          onStart={() => show("start")}
          matching={matching(page.filter, counts.data)}
        />
        {selected && previewed && (
          <RunBeside runId={previewed} name={nameOf(steady.runs, previewed)} onClose={() => page.select(null)} />
        )}
      </div>
      {dialog && (
        <MayOpen key={dialog} because={whyNot[dialog]} onClose={close}>
          {dialog === "start" && <StartRunDialog onClose={close} />}
          {dialog === "plan" && (
            <PlanDialog selection={{ filter: page.filter }} open onOpenChange={(open) => !open && close()} />
          )}
        </MayOpen>
      )}
    </>
  );
}

function nameOf(runs: readonly RunListItem[], runId: string): string | null {
  const listed = runs.find(({ id }) => id === runId);
  return listed ? titleOfRun(listed) : null;
}
