"use client";

import {
  type ColumnSizingState,
  columnOrderingFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { useMemo } from "react";
import type { RunListItem } from "@/lib/api/contract/run";
import type { RunSort } from "@/lib/engine/run";
import {
  type ChosenColumn,
  clampWidth,
  LINK_COLUMN,
  MAX_WIDTH,
  MIN_WIDTH,
  readColumns,
  writeColumns,
} from "./column-url";
import type { RunColumn } from "./run-column";
import { columnOf, isRunColumn, RUN_COLUMNS, USUAL_COLUMNS } from "./run-columns";
import { canSortByEnd } from "./run-url";
import type { RunUrl } from "./use-run-url";

const features = tableFeatures({
  columnOrderingFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  columnMeta: {} as { column: RunColumn },
});

const NO_RUNS: RunListItem[] = [];

export type RunColumns = ReturnType<typeof useRunColumns>;

/** The columns of the table: which, in which order, how wide. They live in the address, so that a link shows the same table. */
export function useRunColumns(
  { url, setUrl, sort, filter }: Pick<RunUrl, "url" | "setUrl" | "sort" | "filter">,
  runs: RunListItem[] = NO_RUNS,
) {
  const chosen = useMemo(() => readColumns(url.cols, isRunColumn), [url.cols]);
  const shown = chosen ?? USUAL;
  const choose = (columns: readonly ChosenColumn[]) => void setUrl({ cols: writeColumns(columns) });
  const ids = shown.map(({ id }) => id).join("\n");
  const definitions = useMemo(() => ids.split("\n").map(columnOf), [ids]);
  const columns = useMemo(() => columnDefsOf(definitions), [definitions]);
  const columnSizing = useMemo(() => widthsOf(shown), [shown]);
  const layout = useMemo(
    () => ({
      columnOrder: definitions.map(({ id }) => id),
      columnVisibility: Object.fromEntries(columns.map(({ id }) => [id, definitions.some((one) => one.id === id)])),
    }),
    [columns, definitions],
  );
  const resize = (id: string, width: number) =>
    choose(shown.map((column) => (column.id === id ? { id, width: clampWidth(width) } : column)));
  const table = useTable({
    features,
    columns,
    data: runs,
    getRowId: ({ id }) => id,
    // While a border is dragged, the address stays as it is.
    columnResizeMode: "onEnd",
    state: { ...layout, columnSizing },
    onColumnSizingChange: (change) => {
      const sizes = typeof change === "function" ? change(columnSizing) : change;
      choose(shown.map(({ id, width }) => withWidth(id, sizes[id] ?? width)));
    },
  });
  return {
    table,
    shown,
    definitions,
    /** Whether they are the usual ones, of which a narrow list leaves some out. */
    usual: chosen === null,
    resize,
    toggle: (id: string) => choose(shown.some((column) => column.id === id) ? without(shown, id) : [...shown, { id }]),
    move: (id: string, by: 1 | -1) => choose(moved(shown, id, by)),
    sort,
    /** Of which the filter may allow none. */
    canSort: (by: RunSort) => by !== "ended" || canSortByEnd(filter),
    sortBy: (by: RunSort) => void setUrl({ sort: by === "newest" ? null : by }),
    reset: () => void setUrl({ cols: null }),
  };
}

const USUAL: readonly ChosenColumn[] = USUAL_COLUMNS.map((id) => ({ id }));

const withWidth = (id: string, width: number | undefined) => (width === undefined ? { id } : { id, width });

const widthsOf = (shown: readonly ChosenColumn[]): ColumnSizingState =>
  Object.fromEntries(shown.flatMap(({ id, width }) => (width === undefined ? [] : [[id, width]])));

/** Of every column that there is, and of those that somebody has made. */
function columnDefsOf(shown: readonly RunColumn[]) {
  const made = shown.filter(({ id }) => !isRunColumn(id));
  return [...RUN_COLUMNS, ...made].map((column) => ({
    id: column.id,
    accessorFn: column.text,
    header: column.name,
    size: column.size,
    minSize: MIN_WIDTH,
    maxSize: MAX_WIDTH,
    enableHiding: column.id !== LINK_COLUMN,
    meta: { column },
  }));
}

const without = (shown: readonly ChosenColumn[], id: string) =>
  id === LINK_COLUMN ? shown : shown.filter((column) => column.id !== id);

/** At the ends, as it was. */
export function moved(shown: readonly ChosenColumn[], id: string, by: 1 | -1): readonly ChosenColumn[] {
  const from = shown.findIndex((column) => column.id === id);
  const [column, neighbour] = [shown[from], shown[from + by]];
  if (!column || !neighbour) return shown;
  return shown.map((other, index) => (index === from ? neighbour : index === from + by ? column : other));
}
