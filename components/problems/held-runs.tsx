"use client";

import Link from "next/link";
import type { ProblemDetail } from "@/lib/api/contract/problems";
import { useRuns } from "@/lib/api/hooks/read-hooks";
import { shortenMiddle } from "@/lib/format";
import { businessKeyOf } from "../runs/run-words";
import { QueryFailure } from "../shell/query-failure";
import { lookOfRun } from "../status/run-looks";
import { StatusLabel } from "../status/status-label";
import { Instant } from "../time/instant";
import { Card } from "../ui/card";
import { heldText } from "./problem-words";

const SHOWN = 10;

/** The newest of the runs that it holds now. */
export function HeldRuns({ problem: { id, openRuns } }: { problem: ProblemDetail }) {
  const query = useRuns({ problem: id });
  const runs = query.data?.runs.slice(0, SHOWN);
  return (
    <Card
      title="Runs that it holds"
      note={heldText(openRuns)}
      action={
        <Link href={`/runs?problem=${id}`} className="text-accent hover:underline">
          All of them
        </Link>
      }
    >
      {!runs && query.error && (
        <QueryFailure what="the runs" error={query.error} onRetry={() => void query.refetch()} />
      )}
      {runs?.length === 0 && (
        <p className="px-4 pb-4 text-ink-3">
          None: whatever failed of it was repaired, cancelled, or is past its time.
        </p>
      )}
      <ul aria-label="Runs that it holds">
        {runs?.map((run) => (
          <li key={run.id} className="flex items-center gap-3 border-line border-t px-4 py-2">
            <StatusLabel look={lookOfRun(run)} shapeOnly />
            <Link href={`/runs/${run.id}`} prefetch={false} className="truncate font-mono text-small hover:underline">
              {businessKeyOf(run) ?? shortenMiddle(run.id)}
            </Link>
            <span className="ml-auto shrink-0 text-ink-3 text-small">
              v{run.version} · <Instant at={run.finishedAt ?? run.createdAt} as="relative" />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
