"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef } from "react";
import { useHotkeys } from "@/components/parts/keys/use-hotkeys";
import { useListKeys } from "@/components/parts/keys/use-list-keys";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { Instant } from "@/components/parts/time/instant";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/feedback/spinner";
import { PHONE, SHORT, useMediaQuery } from "@/components/ui/hooks/use-media-query";
import { later } from "@/components/ui/later";
import { roomAtFirst } from "@/components/ui/table/room-at-first";
import { plural } from "@/lib/format";
import type { RunUrl } from "../address/use-run-url";
import { type Density, ROW_HEIGHTS } from "../columns/use-density";
import type { RunColumns } from "../columns/use-run-columns";
import type { RunSelection } from "../selection/use-run-selection";
import { rowId } from "../table/row-id";
import { cardHeight, RunCards } from "../table/run-cards";
import { RunTable } from "../table/run-table";
import { RunsEmpty } from "./runs-empty";
import { RunsSkeleton } from "./runs-skeleton";
import { useOlderRuns } from "./use-older-runs";
import type { useSteadyRuns } from "./use-steady-runs";

const SelectionBar = later(() => import("../selection/selection-bar").then((part) => part.SelectionBar));

interface RunsListProps {
  page: RunUrl;
  steady: ReturnType<typeof useSteadyRuns>;
  columns: RunColumns;
  density: Density;
  selection: RunSelection;
  /** How many match the filter; null while unknown. */
  matching: number | null;
  onStart: () => void;
}

/** Rows in sight, newest first; older ones come as one scrolls, newer ones when one asks. */
export function RunsList({ page, steady, columns, density, selection, matching, onStart }: RunsListProps) {
  const { query, runs, held, left, refresh } = steady;
  const scroller = useRef<HTMLDivElement>(null);
  const phone = useMediaQuery(PHONE);
  const short = useMediaQuery(SHORT);
  const rowHeight = phone ? cardHeight(columns, short) : ROW_HEIGHTS[density];
  // Stable while the rows and their height are: otherwise each row is measured again.
  const measures = useMemo(
    () => ({ estimateSize: () => rowHeight, getItemKey: (index: number) => runs[index]?.id ?? index }),
    [runs, rowHeight],
  );
  const virtualizer = useVirtualizer({
    count: runs.length,
    getScrollElement: () => scroller.current,
    ...measures,
    overscan: 12,
    initialRect: roomAtFirst(),
  });
  const { show, open } = useRunKeys(page, runs, selection, (index) => virtualizer.scrollToIndex(index));
  const rows = { runs, left, columns, virtualizer, selection, selected: page.url.run, onChoose: show };
  useOlderRuns(query, (virtualizer.getVirtualItems().at(-1)?.index ?? 0) >= runs.length - 12);

  if (query.data === undefined && query.error)
    return <QueryFailure what="the runs" error={query.error} onRetry={() => void query.refetch()} className="flex-1" />;
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <HeldRuns
        held={held}
        left={left.size}
        onShow={() => {
          refresh();
          scroller.current?.scrollTo({ top: 0 });
        }}
      />
      <div ref={scroller} className="@container min-h-0 flex-1 overflow-auto">
        {query.data === undefined && <RunsSkeleton />}
        {query.data && runs.length === 0 && (
          <RunsEmpty
            filter={page.filter}
            lookedBackTo={query.data.lookedBackTo}
            isLooking={query.isFetchingNextPage}
            onLookFurther={() => void query.fetchNextPage()}
            onClear={page.clear}
            onStart={onStart}
          />
        )}
        {runs.length > 0 && (phone ? <RunCards {...rows} /> : <RunTable {...rows} density={density} onOpen={open} />)}
        {runs.length > 0 && <Foot query={query} count={runs.length} />}
      </div>
      {(selection.all || selection.ids.size > 0) && (
        <SelectionBar
          selection={selection}
          filter={page.filter}
          runs={runs}
          more={query.hasNextPage}
          matching={matching}
        />
      )}
    </div>
  );
}

/** The keys of every list; and X chooses the row, shift the rows between, Esc lets them go again. */
function useRunKeys(page: RunUrl, runs: { id: string }[], selection: RunSelection, reveal: (index: number) => void) {
  const keys = useListKeys({
    ids: runs.map(({ id }) => id),
    chosen: page.url.run,
    choose: page.select,
    hrefOf: (id) => `/runs/${id}`,
    rowId,
    reveal,
    extend: selection.add,
    onEscape: selection.clear,
  });
  const toggle = () => {
    const id = keys.current();
    if (id !== undefined) selection.toggle(id);
  };
  useHotkeys({ x: toggle });
  return keys;
}

type RunsQuery = RunsListProps["steady"]["query"];

function HeldRuns({ held, left, onShow }: { held: number; left: number; onShow: () => void }) {
  return (
    <div role="status">
      {held + left > 0 && (
        <button
          type="button"
          data-ring="inside"
          onClick={onShow}
          className="h-11 w-full border-line border-b bg-accent-soft text-accent text-small hover:underline md:h-[27px]"
        >
          {[
            held > 0 && plural(held, "new run"),
            left > 0 && `${plural(left, "run")} no longer ${left === 1 ? "matches" : "match"}`,
          ]
            .filter(Boolean)
            .join(" · ")}{" "}
          · {held > 0 ? "show" : "refresh"}
        </button>
      )}
    </div>
  );
}

function Foot({ query, count }: { query: RunsQuery; count: number }) {
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  return (
    <div className="flex min-h-14 flex-wrap items-center justify-center gap-2 px-4 text-ink-3 text-small">
      {isFetchingNextPage && (
        <>
          <Spinner /> Loading more runs
        </>
      )}
      {isFetchNextPageError && !isFetchingNextPage && (
        <Button size="small" onClick={() => void fetchNextPage()}>
          More runs could not be loaded. Try again
        </Button>
      )}
      {data?.lookedBackTo && !isFetchingNextPage && !isFetchNextPageError && (
        <>
          <span>
            Searched as far as <Instant at={data.lookedBackTo} />
          </span>
          <Button size="small" onClick={() => void fetchNextPage()}>
            Search further
          </Button>
        </>
      )}
      {!hasNextPage && `${plural(count, "run")} in total`}
    </div>
  );
}
