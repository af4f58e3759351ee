import type { RunListItem } from "@/lib/api/contract/run";
import { LINK_COLUMN } from "../address/column-url";
import type { RowLink, RunColumn } from "../columns/run-column";

/** In pixels. */
const LINE = 24;
const AROUND = 20;

const STATUS = "status";

const inLines = (columns: readonly RunColumn[]) => columns.filter(({ id }) => id !== LINK_COLUMN && id !== STATUS);

export const linesHeight = (columns: readonly RunColumn[]) => AROUND + LINE * (1 + inLines(columns).length);

interface CardLinesProps {
  run: RunListItem;
  columns: readonly RunColumn[];
  link: RowLink;
}

/** The chosen columns as a card: the run's name and status, then a line each. */
export function CardLines({ run, columns, link }: CardLinesProps) {
  const cell = (id: string) => columns.find((column) => column.id === id)?.cell(run, link);
  return (
    <div className="flex min-w-0 flex-1 flex-col justify-center pr-4 active:bg-gray-soft">
      <div className="flex h-6 items-center justify-between gap-3">
        <div className="min-w-0 flex-1">{cell(LINK_COLUMN)}</div>
        <div className="shrink-0">{cell(STATUS)}</div>
      </div>
      <dl>
        {inLines(columns).map((column) => (
          <div key={column.id} className="flex h-6 items-center gap-3">
            <dt title={column.name} className="w-24 shrink-0 truncate text-ink-3 text-small">
              {column.name}
            </dt>
            <dd className="min-w-0 flex-1 truncate">{column.cell(run, link)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
