"use client";

import { useMemo, useState } from "react";
import { canSortByEnd } from "@/components/domain/run-filter/run-url";
import { useStable } from "@/components/ui/hooks/use-stable";
import type { RunSort } from "@/lib/engine/runs/run";
import { type ChosenColumn, clampWidth, LINK_COLUMN, readColumns, writeColumns } from "../address/column-url";
import type { RunUrl } from "../address/use-run-url";
import type { RunColumn } from "./run-column";
import { columnOf, isRunColumn, USUAL_COLUMNS } from "./run-columns";

export type RunColumns = ReturnType<typeof useRunColumns>;

/** The columns of the table: which, in which order, how wide. They live in the address, so that a link shows the same table. */
export function useRunColumns({ url, setUrl, sort, filter }: Pick<RunUrl, "url" | "setUrl" | "sort" | "filter">) {
  const chosen = useMemo(() => readColumns(url.cols, isRunColumn), [url.cols]);
  const shown = chosen ?? USUAL;
  const ids = shown.map(({ id }) => id).join("\n");
  const definitions = useMemo(() => ids.split("\n").map(columnOf), [ids]);
  const [dragged, setDragged] = useState<{ id: string; width: number } | null>(null);
  const choose = (columns: readonly ChosenColumn[]) => void setUrl({ cols: writeColumns(columns) });
  const acts = {
    /** While its border is dragged, the URL does not change. */
    drag: useStable((id: string, width: number) => setDragged({ id, width: clampWidth(width) })),
    resize: useStable((id: string, width: number) => {
      setDragged(null);
      choose(shown.map((column) => (column.id === id ? { id, width: clampWidth(width) } : column)));
    }),
    toggle: useStable((id: string) =>
      choose(shown.some((column) => column.id === id) ? without(shown, id) : [...shown, { id }]),
    ),
    move: useStable((id: string, by: 1 | -1) => choose(moved(shown, id, by))),
    sortBy: useStable((by: RunSort) => void setUrl({ sort: by === "newest" ? null : by })),
    reset: useStable(() => void setUrl({ cols: null })),
  };
  const byEnd = canSortByEnd(filter);
  // Stable until the columns change: their heads are not rendered again with every row.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the acts are the same for good
  return useMemo(() => {
    const chosenWidth = ({ id }: RunColumn) =>
      dragged?.id === id ? dragged.width : shown.find((column) => column.id === id)?.width;
    return {
      ...acts,
      shown,
      definitions,
      /** In pixels; undefined when not chosen. */
      chosenWidth,
      dragged: dragged?.id ?? null,
      /** Of all columns, in pixels. */
      width: definitions.reduce((sum, column) => sum + (chosenWidth(column) ?? column.size), 0),
      /** Whether they are the usual ones, of which a narrow list leaves some out. */
      usual: chosen === null,
      sort,
      /** Of which the filter may allow none. */
      canSort: (by: RunSort) => by !== "ended" || byEnd,
    };
  }, [shown, definitions, dragged, chosen, sort, byEnd]);
}

const USUAL: readonly ChosenColumn[] = USUAL_COLUMNS.map((id) => ({ id }));

const without = (shown: readonly ChosenColumn[], id: string) =>
  id === LINK_COLUMN ? shown : shown.filter((column) => column.id !== id);

/** At the ends, as it was. */
export function moved(shown: readonly ChosenColumn[], id: string, by: 1 | -1): readonly ChosenColumn[] {
  const from = shown.findIndex((column) => column.id === id);
  const [column, neighbour] = [shown[from], shown[from + by]];
  if (!column || !neighbour) return shown;
  return shown.map((other, index) => (index === from ? neighbour : index === from + by ? column : other));
}
