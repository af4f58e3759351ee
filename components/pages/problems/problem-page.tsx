"use client";

import { useQuery } from "@tanstack/react-query";
import { ChevronLeft } from "lucide-react";
import Link from "next/link";
import { CameBack } from "@/components/domain/problems/problem-item";
import { ProblemTitle } from "@/components/domain/problems/problem-title";
import { lookOf } from "@/components/domain/problems/problem-words";
import { BoardSkeleton } from "@/components/parts/page/board-page";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { TopBar } from "@/components/parts/page/top-bar";
import { useRemember } from "@/components/parts/palette/recent";
import { StatusLabel } from "@/components/parts/status/status-label";
import type { ProblemDetail } from "@/lib/api/contract/problems";
import { problemQuery } from "@/lib/api/hooks/queries";
import { Behind } from "./behind";
import { ExampleCard } from "./example-card";
import { FailureChart } from "./failure-chart";
import { HeldRuns } from "./held-runs";
import { ProblemActs } from "./problem-acts";
import { AboutProblem } from "./problem-facts";
import { ProblemHistory } from "./problem-history";

/** One problem: what failed, how often, the runs that it holds, and the available actions. */
export function ProblemPage({ problemId }: { problemId: string }) {
  const { data, error, refetch } = useQuery(problemQuery(problemId));
  return (
    <>
      <TopBar
        crumb={
          <Link href="/problems" className="flex items-center gap-1 text-ink-2 hover:text-ink">
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
        </div>
        <p className="break-words text-ink-2">{problem.example.pattern}</p>
        <ProblemActs problem={problem} />
      </header>
      <Behind ms={problem.behindMs} />
      <div className="grid items-start gap-3.5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="grid min-w-0 gap-3.5">
          <FailureChart problem={problem} />
          <ExampleCard problem={problem} />
          <HeldRuns problem={problem} />
        </div>
        <div className="grid min-w-0 gap-3.5">
          <AboutProblem problem={problem} />
          <ProblemHistory problem={problem} />
        </div>
      </div>
    </>
  );
}
