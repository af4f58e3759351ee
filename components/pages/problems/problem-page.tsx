"use client";

import { useQuery } from "@tanstack/react-query";
import { ChevronLeft } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { DeployList } from "@/components/domain/deploys/deploy-list";
import { marksOf } from "@/components/domain/deploys/deploy-marks";
import { FailureBars } from "@/components/domain/problems/failure-bars";
import { CameBack } from "@/components/domain/problems/problem-item";
import { ProblemTitle } from "@/components/domain/problems/problem-title";
import { eventText, lookOf } from "@/components/domain/problems/problem-words";
import { ShareReport } from "@/components/domain/reports/share-report";
import { ErrorView } from "@/components/domain/run/error-view";
import { BoardSkeleton } from "@/components/parts/page/board-page";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { TopBar } from "@/components/parts/page/top-bar";
import { useRemember } from "@/components/parts/palette/recent";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Instant } from "@/components/parts/time/instant";
import { Segmented } from "@/components/ui/form/segmented";
import { Card } from "@/components/ui/layout/card";
import type { ProblemDetail } from "@/lib/api/contract/problems";
import { useMarkSeen } from "@/lib/api/hooks/problem-hooks";
import { problemQuery } from "@/lib/api/hooks/queries";
import { plural } from "@/lib/format";
import { BeganAfter } from "./began-after";
import { Behind } from "./behind";
import { HeldRuns } from "./held-runs";
import { ProblemActs } from "./problem-acts";
import { AboutProblem } from "./problem-facts";
import { TriedSoFar } from "./tried";

/** One problem: what failed, how often, the runs that it holds, and the available actions. */
export function ProblemPage({ problemId }: { problemId: string }) {
  const { data, error, refetch } = useQuery(problemQuery(problemId));
  return (
    <>
      <TopBar
        crumb={
          <Link href="/problems" className="flex items-center gap-1 text-ink-2 hover:text-ink max-md:min-h-11">
            <ChevronLeft aria-hidden className="size-4" />
            Problems
          </Link>
        }
      />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto grid max-w-[1240px] gap-3.5 p-4 md:px-6 md:py-5">
          {data && <Loaded problem={data} />}
          {!data && error && <QueryFailure what="the problem" error={error} onRetry={() => void refetch()} />}
          {!data && !error && <BoardSkeleton what="the problem" />}
        </div>
      </div>
    </>
  );
}

function Loaded({ problem }: { problem: ProblemDetail }) {
  useMarkSeen(problem);
  useRemember(`/problems/${problem.id}`, `${problem.example.pattern} · ${problem.title}`);
  return (
    <>
      <header className="grid gap-2.5">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <h1 className="min-w-0 break-words font-semibold text-title tracking-tight">
            <ProblemTitle problem={problem} />
          </h1>
          <span role="status">
            <StatusLabel look={lookOf(problem)} />
          </span>
          {problem.cameBack && <CameBack after={problem.cameBack.after} />}
          <div className="md:ml-auto">
            <ShareReport about={{ problemId: problem.id }} />
          </div>
        </div>
        <p className="break-words text-ink-2">{problem.example.pattern}</p>
        <BeganAfter problem={problem} />
        <ProblemActs problem={problem} />
      </header>
      <Behind ms={problem.behindMs} />
      <div className="grid items-start gap-3.5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="grid min-w-0 gap-3.5">
          <FailureChart problem={problem} />
          <ExampleCard problem={problem} />
          <HeldRuns problem={problem} />
          <TriedSoFar problemId={problem.id} />
        </div>
        <div className="grid min-w-0 gap-3.5">
          <AboutProblem problem={problem} />
          <ProblemHistory problem={problem} />
        </div>
      </div>
    </>
  );
}

/** Its latest error, as it was thrown. */
function ExampleCard({ problem: { example } }: { problem: ProblemDetail }) {
  return (
    <Card
      title="Latest error"
      action={
        <Link href={`/runs/${example.runId}`} className="text-accent hover:underline">
          Its run
        </Link>
      }
    >
      <div className="px-4 pt-1 pb-4">
        {example.error ? <ErrorView error={example.error} /> : <p className="text-ink-3">No error was saved.</p>}
      </div>
    </Card>
  );
}

/** Actions and notes on the problem, and its reopenings; latest first. */
function ProblemHistory({ problem: { history, firstAt } }: { problem: ProblemDetail }) {
  return (
    <Card title="History">
      <ol className="px-4 pb-3">
        {history.map(({ id, at, text, ...event }) => (
          <li key={id} className="border-line border-t py-2 first:border-t-0">
            <p className="flex flex-wrap justify-between gap-x-3">
              <span className="font-medium">{eventText(event)}</span>
              <Instant at={at} as="relative" className="text-ink-3 text-small" />
            </p>
            <p className="whitespace-pre-wrap break-words text-ink-2">{text}</p>
          </li>
        ))}
        <li className="border-line border-t py-2 text-ink-3 first:border-t-0">
          First seen <Instant at={firstAt} />
        </li>
      </ol>
    </Card>
  );
}

const PERIODS = [
  { value: "hour", text: "Hour", words: "hour" },
  { value: "day", text: "Day", words: "24 hours" },
  { value: "week", text: "Week", words: "7 days" },
] as const;

/** When it failed: by minute for the last hour, or by hour. */
function FailureChart({ problem: { charts, lastAt, deploys } }: { problem: ProblemDetail }) {
  const [period, setPeriod] = useState<(typeof PERIODS)[number]["value"]>("day");
  const series = charts[period];
  const all = series.counts.reduce((sum, count) => sum + count, 0);
  const shown = deploys.filter(({ at }) => Date.parse(at) >= Date.parse(series.from));
  const words = PERIODS.find(({ value }) => value === period)?.words ?? period;
  return (
    <Card
      title="Failures"
      note={<span className="max-md:hidden">{`${plural(all, "failure")} in the last ${words}`}</span>}
      action={<Segmented label="Period" value={period} onChange={setPeriod} options={[...PERIODS]} />}
    >
      <div className="px-4 pt-3 pb-4">
        <FailureBars series={series} period={words} marks={marksOf(shown)} className="h-24 w-full" />
        <p className="mt-1.5 flex justify-between text-ink-3 text-small">
          <Instant at={series.from} />
          <span>
            last <Instant at={lastAt} as="relative" />
          </span>
        </p>
        <div className="mt-1.5">
          <DeployList deploys={shown} />
        </div>
      </div>
    </Card>
  );
}
