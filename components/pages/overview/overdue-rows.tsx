import Link from "next/link";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Instant } from "@/components/parts/time/instant";
import { Button } from "@/components/ui/button";
import { COUNT_CAP } from "@/lib/api/contract/caps";
import type { OverviewResponse } from "@/lib/api/contract/responses";
import { formatCount } from "@/lib/format";

/** Due runs that no worker takes, although one could: a fault in the system. */
export function OverdueRows({ overdue }: { overdue: OverviewResponse["overdue"] }) {
  return overdue.map(({ workflow, title, since, runs }) => (
    <li
      key={workflow}
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-t py-2.5 first:border-t-0"
    >
      <StatusLabel look={{ shape: "person", word: "Overdue", tone: "red" }} shapeOnly />
      <div className="min-w-0 flex-1 basis-60">
        <p className="break-words font-medium">
          {runs === 1 ? "A run" : "Runs"} of {title} {runs === 1 ? "is" : "are"} due and not claimed
        </p>
        <p className="break-words text-ink-3 text-small">
          Due since <Instant at={since} />, and a live worker has room. Check that worker, and run{" "}
          <span className="font-mono">npm run doctor</span>. Nothing is lost.
        </p>
      </div>
      <div className="flex items-center gap-3 max-md:w-full max-md:pl-[26px]">
        {runs > 1 && <span className="font-medium">{formatCount(runs, COUNT_CAP)}</span>}
        <Button asChild className="max-md:flex-1">
          <Link
            href={`/runs?status=pending,waiting&workflow=${encodeURIComponent(workflow)}`}
            aria-label={`View the overdue runs of ${title}`}
          >
            {runs === 1 ? "View run" : "View runs"}
          </Link>
        </Button>
      </div>
    </li>
  ));
}
