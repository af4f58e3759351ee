import Link from "next/link";
import { countText, countWords, type RunCount } from "@/components/domain/run/count-words";
import { RUN_LOOKS } from "@/components/domain/run/run-looks";
import { StatusLabel } from "@/components/parts/status/status-label";
import type { OverviewResponse } from "@/lib/api/contract/responses";
import type { RunStatus } from "@/lib/engine/runs/run";

const ALWAYS: RunStatus[] = ["running", "waiting", "completed", "failed"];
const SOMETIMES: RunStatus[] = ["pending", "compensating", "compensated", "cancelled", "paused"];

type Counts = Pick<OverviewResponse, "byStatus" | "partial">;

export const countOf = ({ byStatus, partial }: Counts, status: RunStatus): RunCount => ({
  count: byStatus[status],
  partial: partial?.byStatus.includes(status) ?? false,
});

/** How many runs have each status, each count linked to them. */
export function StatusTiles({ overview }: { overview: Counts }) {
  const tiles = [...ALWAYS, ...SOMETIMES]
    .map((status) => ({ status, ...countOf(overview, status) }))
    .filter(({ status, count, partial }) => count > 0 || partial || ALWAYS.includes(status));
  return (
    <ul className="grid grid-cols-2 gap-px overflow-hidden rounded-[10px] border border-line bg-line shadow-card sm:flex sm:flex-wrap">
      {tiles.map(({ status, ...count }) => (
        <li key={status} className="bg-panel sm:min-w-[124px] sm:flex-1">
          <Link
            href={`/runs?status=${status}`}
            title={count.partial ? countWords(RUN_LOOKS[status].word, count) : undefined}
            data-ring="inside"
            className="block px-4 py-3 hover:bg-sunken sm:px-3"
          >
            <span className="block font-semibold text-figure tracking-tight">{countText(count)}</span>
            <StatusLabel
              look={status === "running" ? { ...RUN_LOOKS.running, shape: "running" } : RUN_LOOKS[status]}
              className="font-normal text-small"
            />
          </Link>
        </li>
      ))}
      {tiles.length % 2 === 1 && <li aria-hidden className="bg-panel sm:hidden" />}
    </ul>
  );
}
