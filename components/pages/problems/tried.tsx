"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { verbOf } from "@/components/domain/audit/act-words";
import { RunLink } from "@/components/domain/run/run-link";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { Instant } from "@/components/parts/time/instant";
import { Card } from "@/components/ui/layout/card";
import type { ProblemTried } from "@/lib/api/contract/problems";
import { problemTriedQuery } from "@/lib/api/hooks/queries";
import { plural } from "@/lib/format";

type Tried = ProblemTried["tried"][number];

/** What people and probes did on the problem's runs, each with what it led to; newest first. */
export function TriedSoFar({ problemId }: { problemId: string }) {
  const { data, error, refetch } = useQuery(problemTriedQuery(problemId));
  if (!data && !error) return null;
  return (
    <Card title="Tried so far">
      {!data && error && <QueryFailure what="what was tried" error={error} onRetry={() => void refetch()} />}
      {data?.tried.length === 0 && (
        <p className="px-4 pb-3 text-ink-3">Nothing yet: no affected run was rerun, resolved or cancelled.</p>
      )}
      <ol aria-label="Tried so far" className="px-4 pb-2 empty:hidden">
        {data?.tried.map((tried) => (
          <li key={tried.id} className="border-line border-t py-2 first:border-t-0">
            <div className="flex flex-wrap items-baseline justify-between gap-x-3">
              <p className="min-w-0 break-words">
                <span className="font-medium">{tried.by}</span> <What tried={tried} />
              </p>
              <Instant at={tried.at} as="relative" className="text-ink-3 text-small" />
            </div>
            <p className="break-words text-ink-2">{outcome(tried)}</p>
            <p className="whitespace-pre-wrap break-words text-ink-3 text-small">{tried.reason}</p>
          </li>
        ))}
      </ol>
    </Card>
  );
}

function What({ tried: { act, runs, runId, named, operationId } }: { tried: Tried }) {
  if (act === "probe") return <>probed the problem</>;
  const did = verbOf({ act, result: "done" });
  if (operationId)
    return (
      <>
        {did}{" "}
        <Link href={`/operations/${operationId}`} prefetch={false} className="text-accent hover:underline">
          {plural(runs, "run")}
        </Link>
      </>
    );
  return (
    <>
      {did} {runId ? <RunLink runId={runId} names={named} /> : plural(runs, "run")}
    </>
  );
}

function outcome({ runs, left, again, probe }: Tried): string {
  if (probe) return probeOutcome(probe);
  const rest = runs - left - again;
  const parts = [
    left > 0 && (runs === 1 ? "The run no longer has the problem" : `${left} no longer have the problem`),
    again > 0 && (runs === 1 ? "The run failed again" : `${again} failed again`),
    rest > 0 && (runs === 1 ? "The run still has the problem" : `${rest} still have the problem`),
  ];
  return `${parts.filter(Boolean).join(", ")}.`;
}

function probeOutcome({ status, because, tries }: NonNullable<Tried["probe"]>): string {
  if (status === "running") return `${plural(tries, "rerun")} so far; under way.`;
  return status === "through"
    ? `Came through with ${tries === 1 ? "the first rerun" : `rerun ${tries}`}.`
    : (because ?? "");
}
