import Link from "next/link";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Button } from "@/components/ui/button";
import { COUNT_CAP } from "@/lib/api/contract/caps";
import type { OverviewResponse } from "@/lib/api/contract/responses";
import { formatCount } from "@/lib/format";

/** Runs that no live worker can take: an operator has to start one. */
export function StrandedRows({ stranded }: { stranded: OverviewResponse["stranded"] }) {
  return stranded.map(({ workflow, title, version, runs }) => (
    <li
      key={`${workflow} ${version}`}
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-t py-2.5 first:border-t-0"
    >
      <StatusLabel look={{ shape: "person", word: "No worker", tone: "red" }} shapeOnly />
      <div className="min-w-0 flex-1 basis-60">
        <p className="break-words font-medium">
          No live worker has {title}
          {version !== null && `, version ${version}`}
        </p>
        <p className="break-words text-ink-3 text-small">
          {runs === 1 ? "1 run waits" : "Runs wait"} until one is started
          {version !== null && ", or a rerun chooses another version"}. Nothing is lost.
        </p>
      </div>
      <div className="flex items-center gap-3 max-md:w-full max-md:pl-[26px]">
        {runs > 1 && <span className="font-medium">{formatCount(runs, COUNT_CAP)}</span>}
        <Button asChild className="max-md:flex-1">
          <Link
            href={`/runs?status=pending,waiting&workflow=${encodeURIComponent(workflow)}`}
            aria-label={`View the runs of ${title} that wait`}
          >
            {runs === 1 ? "View run" : "View runs"}
          </Link>
        </Button>
      </div>
    </li>
  ));
}
