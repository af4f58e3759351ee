import Link from "next/link";
import { RUN_LOOKS } from "@/components/domain/run/run-looks";
import { StatusLabel } from "@/components/parts/status/status-label";
import { COUNT_CAP } from "@/lib/api/contract/caps";
import type { OverviewResponse } from "@/lib/api/contract/responses";
import type { RunStatus } from "@/lib/engine/runs/run";
import { formatCount } from "@/lib/format";

const ALWAYS: RunStatus[] = ["running", "waiting", "completed", "failed"];
const SOMETIMES: RunStatus[] = ["pending", "compensating", "compensated", "cancelled", "paused"];

/** How many runs have each status, each count linked to them. */
export function StatusTiles({ byStatus }: Pick<OverviewResponse, "byStatus">) {
  const shown = [...ALWAYS, ...SOMETIMES.filter((status) => byStatus[status] > 0)];
  return (
    <ul className="grid grid-cols-2 gap-px overflow-hidden rounded-[10px] border border-line bg-line shadow-card sm:flex sm:flex-wrap">
      {shown.map((status) => (
        <li key={status} className="bg-panel sm:min-w-[124px] sm:flex-1">
          <Link href={`/runs?status=${status}`} data-ring="inside" className="block px-4 py-3 hover:bg-sunken sm:px-3">
            <span className="block font-semibold text-figure tracking-tight">
              {formatCount(byStatus[status], COUNT_CAP)}
            </span>
            <StatusLabel
              look={status === "running" ? { ...RUN_LOOKS.running, shape: "running" } : RUN_LOOKS[status]}
              className="font-normal text-small"
            />
          </Link>
        </li>
      ))}
      {shown.length % 2 === 1 && <li aria-hidden className="bg-panel sm:hidden" />}
    </ul>
  );
}
