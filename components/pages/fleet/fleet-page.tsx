"use client";

import { QueryFailure } from "@/components/parts/page/query-failure";
import { TopBar } from "@/components/parts/page/top-bar";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import { Loading, Skeleton } from "@/components/ui/feedback/skeleton";
import { type Cell, useCells, useOverviews } from "@/lib/api/hooks/cell-hooks";
import { AttentionCard } from "./attention-card";
import { CellsCard } from "./cells-card";
import { RunsCard } from "./runs-card";

/** All cells of the fleet: which of them answers, what needs attention in any of them, and their runs in one list. */
export function FleetPage() {
  const { data: cells, error, refetch } = useCells();
  return (
    <>
      <TopBar title="Fleet" />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls and may hold nothing to focus is scrolled by its keys */}
      <div tabIndex={0} data-ring="inside" className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto grid max-w-[1240px] gap-3.5 p-4 md:px-6 md:py-5">
          {!cells && error && <QueryFailure what="the fleet" error={error} onRetry={() => void refetch()} />}
          {!cells && !error && (
            <Loading what="the fleet">
              <Skeleton className="h-24 w-full" />
            </Loading>
          )}
          {cells?.length === 0 && (
            <EmptyState title="No fleet">
              This console is of a single installation. With HANDRAIL_CELL, HANDRAIL_CELLS and HANDRAIL_FLEET_SECRET it
              shows several side by side.
            </EmptyState>
          )}
          {cells && cells.length > 0 && <Fleet cells={cells} />}
        </div>
      </div>
    </>
  );
}

function Fleet({ cells }: { cells: Cell[] }) {
  const overviews = useOverviews(cells);
  return (
    <>
      <CellsCard overviews={overviews} />
      <AttentionCard overviews={overviews} />
      <RunsCard cells={cells} />
    </>
  );
}
