"use client";

import { parseAsString, useQueryState } from "nuqs";
import { useState } from "react";
import { PermittedButton } from "@/components/domain/access/permitted-button";
import { lookOfRun } from "@/components/domain/run/run-looks";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Instant } from "@/components/parts/time/instant";
import { useTimes } from "@/components/parts/time/viewer-formats";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import { Loading, Skeleton } from "@/components/ui/feedback/skeleton";
import { SearchField } from "@/components/ui/form/search-field";
import { useDebounced } from "@/components/ui/hooks/use-debounced";
import { Card } from "@/components/ui/layout/card";
import { type Cell, type RunOfCell, useRunsOfCells } from "@/lib/api/hooks/cell-hooks";
import { readFleetId } from "@/lib/engine/fleet/fleet-id";
import type { Depth } from "@/lib/engine/fleet/reach";
import { timeOfId } from "@/lib/engine/runs/run-ids";
import { typedFilter } from "@/lib/filters/typed";
import { nameOfRun } from "@/lib/format/run-name";
import { Missing } from "./attention-card";
import { CellLink, CellName } from "./cell-link";
import { FleetPlanDialog } from "./fleet-plan-dialog-later";

const instantOf = (id: string) => new Date(timeOfId(id)).toISOString();

/** As in the list of runs. */
const TYPING_MS = 220;
const FIRST: Depth = { runs: 50, searches: 1 };
/** More is a question for a filter. */
const MOST_RUNS = 800;
const deeper = ({ runs, searches }: Depth): Depth => ({ runs: Math.min(runs * 2, MOST_RUNS), searches: searches + 5 });

/** The runs of all cells in one list, by the filter of the address, and one action on all of them. */
export function RunsCard({ cells }: { cells: Cell[] }) {
  const [written, setWritten] = useQueryState("q", parseAsString.withDefault(""));
  const settled = useDebounced(written, TYPING_MS);
  const { zone } = useTimes();
  const { asked, filter, faults } = questionOf(cells, settled, zone);
  const [depth, setDepth] = useState(FIRST);
  const [acting, setActing] = useState(false);
  const { answers, runs, to } = useRunsOfCells(asked, filter, depth);
  const waiting = answers.some(({ answer, error }) => !answer && !error);
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Card title="Runs">
      <div className="flex flex-wrap items-center gap-2 px-4 pb-2">
        <SearchField
          label="Filter the runs of all cells"
          placeholder="Id, key, tag, or status:failed workflow:…"
          value={written}
          onChange={(text) => void setWritten(text === "" ? null : text)}
          className="min-w-0 flex-1"
        />
        {isFiltered && faults.length === 0 && (
          <PermittedButton action="plan.make" onClick={() => setActing(true)}>
            Bulk action…
          </PermittedButton>
        )}
      </div>
      {faults.map((fault) => (
        <p key={fault.written} role="status" className="px-4 pb-2 text-red">
          {fault.written}: {fault.says}
        </p>
      ))}
      <Missing of={answers} what="what ran there is" />
      {runs.length === 0 && waiting && (
        <Loading what="the runs" className="p-4">
          <Skeleton className="h-8 w-full" />
        </Loading>
      )}
      {runs.length === 0 && !waiting && (
        <EmptyState title={to === null ? "No runs" : "No matches so far"} className="py-10">
          {to !== null ? (
            <>
              Back to <Instant at={instantOf(to)} />.
            </>
          ) : isFiltered ? (
            "Nothing fits this filter."
          ) : (
            "Nothing was started in these cells."
          )}
        </EmptyState>
      )}
      <ul className="px-4 pb-1.5">
        {runs.map((run) => (
          <RunRow key={`${run.cell.name} ${run.id}`} run={run} />
        ))}
      </ul>
      {to !== null && <More to={to} runs={runs.length} onMore={() => setDepth(deeper(depth))} />}
      {acting && <FleetPlanDialog cells={asked} filter={filter} onClose={() => setActing(false)} />}
    </Card>
  );
}

/** In every cell down to one instant: below may be runs that one of them has not given yet. */
function More({ to, runs, onMore }: { to: string; runs: number; onMore: () => void }) {
  if (runs >= MOST_RUNS) return <p className="px-4 pb-3 text-ink-2">There are more: narrow the filter.</p>;
  return (
    <p className="flex flex-wrap items-center gap-2 px-4 pb-3">
      <Button onClick={onMore}>Show more</Button>
      <span className="text-ink-3">
        from before <Instant at={instantOf(to)} />
      </span>
    </p>
  );
}

/** An id of the fleet names its cell: only that one is asked. */
function questionOf(cells: Cell[], written: string, zone: string) {
  const id = readFleetId(written.trim());
  if (id === undefined) return { asked: cells, ...typedFilter(written, zone) };
  return { asked: cells.filter(({ name }) => name === id.cell), filter: { q: id.runId }, faults: [] };
}

function RunRow({ run }: { run: RunOfCell }) {
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-line border-t py-2 first:border-t-0">
      <CellName cell={run.cell} />
      <StatusLabel look={lookOfRun(run)} />
      <CellLink cell={run.cell} href={`/runs/${run.id}`}>
        {nameOfRun(run.id, run)}
      </CellLink>
      <span className="text-ink-2">{run.workflow}</span>
      <span className="ml-auto text-ink-3">
        <Instant at={run.createdAt} />
      </span>
    </li>
  );
}
