"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { heldText } from "@/components/domain/problems/problem-words";
import { lookOfRun } from "@/components/domain/run/run-looks";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Instant } from "@/components/parts/time/instant";
import { Card } from "@/components/ui/layout/card";
import type { ProblemDetail } from "@/lib/api/contract/problems";
import { runsQuery } from "@/lib/api/hooks/queries";
import { classNames } from "@/lib/class-names";
import { nameOfRun } from "@/lib/format/run-name";

const SHOWN = 10;

/** The newest of the runs that it holds now. */
export function HeldRuns({ problem }: { problem: ProblemDetail }) {
  return (
    <Card title="Affected runs" note={heldText(problem.openRuns)} action={<AllHeldRuns problem={problem} />}>
      <HeldRunList problem={problem} most={SHOWN} rowClass="border-line border-t px-4 py-2" />
    </Card>
  );
}

export const AllHeldRuns = ({ problem: { id } }: { problem: ProblemDetail }) => (
  <Link href={`/runs?problem=${id}`} prefetch={false} className="text-accent hover:underline">
    All of them
  </Link>
);

interface HeldRunListProps {
  problem: ProblemDetail;
  most: number;
  /** How far apart rows are. */
  rowClass: string;
}

export function HeldRunList({ problem: { id }, most, rowClass }: HeldRunListProps) {
  const { data, error, refetch } = useInfiniteQuery(runsQuery({ problem: id }));
  if (!data && error) return <QueryFailure what="the runs" error={error} onRetry={() => void refetch()} />;
  if (data?.runs.length === 0)
    return (
      <p className={classNames(rowClass, "text-ink-3")}>
        None: all its failed runs were repaired, cancelled, or deleted by retention.
      </p>
    );
  return (
    <ul aria-label="Affected runs">
      {data?.runs.slice(0, most).map((run) => (
        <li key={run.id} className={classNames("flex items-center gap-3", rowClass)}>
          <StatusLabel look={lookOfRun(run)} shapeOnly />
          <Link href={`/runs/${run.id}`} prefetch={false} className="truncate font-mono text-small hover:underline">
            {nameOfRun(run.id, run)}
          </Link>
          <span className="ml-auto shrink-0 text-ink-3 text-small">
            v{run.version} · <Instant at={run.finishedAt ?? run.createdAt} as="relative" />
          </span>
        </li>
      ))}
    </ul>
  );
}
