import Link from "next/link";
import type { ReactNode } from "react";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Instant } from "@/components/parts/time/instant";
import { Button } from "@/components/ui/button";
import { COUNT_CAP } from "@/lib/api/contract/caps";
import type { OverviewResponse } from "@/lib/api/contract/responses";
import { formatCount } from "@/lib/format";

/** Runs that no live worker can take: an operator has to start one. */
export function StrandedRows({ stranded }: { stranded: OverviewResponse["stranded"] }) {
  return stranded.map(({ workflow, title, version, runs }) => (
    <UnclaimedRow
      key={`${workflow} ${version}`}
      word="No worker"
      title={`No live worker has ${title}${version === null ? "" : `, version ${version}`}`}
      workflow={workflow}
      runs={runs}
      label={`View the runs of ${title} that wait`}
    >
      {runs === 1 ? "1 run waits" : "Runs wait"} until one is started
      {version !== null && ", or a rerun chooses another version"}. Nothing is lost.
    </UnclaimedRow>
  ));
}

/** Due runs that no worker takes, although one could: a fault in the system. */
export function OverdueRows({ overdue }: { overdue: OverviewResponse["overdue"] }) {
  return overdue.map(({ workflow, title, since, runs }) => (
    <UnclaimedRow
      key={workflow}
      word="Overdue"
      title={`${runs === 1 ? "A run" : "Runs"} of ${title} ${runs === 1 ? "is" : "are"} due and not claimed`}
      workflow={workflow}
      runs={runs}
      label={`View the overdue runs of ${title}`}
    >
      Due since <Instant at={since} />, and a live worker has room. Check that worker, and run{" "}
      <span className="font-mono">npm run doctor</span>. Nothing is lost.
    </UnclaimedRow>
  ));
}

interface UnclaimedRowProps {
  word: string;
  title: string;
  workflow: string;
  runs: number;
  label: string;
  children: ReactNode;
}

function UnclaimedRow({ word, title, workflow, runs, label, children }: UnclaimedRowProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-t py-2.5 first:border-t-0">
      <StatusLabel look={{ shape: "person", word, tone: "red" }} shapeOnly />
      <div className="min-w-0 flex-1 basis-60">
        <p className="break-words font-medium">{title}</p>
        <p className="break-words text-ink-3 text-small">{children}</p>
      </div>
      <div className="flex items-center gap-3 max-md:w-full max-md:pl-[26px]">
        {runs > 1 && <span className="font-medium">{formatCount(runs, COUNT_CAP)}</span>}
        <Button asChild className="max-md:flex-1">
          <Link href={`/runs?status=pending,waiting&workflow=${encodeURIComponent(workflow)}`} aria-label={label}>
            {runs === 1 ? "View run" : "View runs"}
          </Link>
        </Button>
      </div>
    </li>
  );
}
