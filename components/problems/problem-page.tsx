"use client";

import { ChevronLeft } from "lucide-react";
import Link from "next/link";
import type { ProblemDetail } from "@/lib/api/contract/problems";
import { useWhyNot } from "@/lib/api/hooks/access-hooks";
import { useProblem } from "@/lib/api/hooks/problem-hooks";
import { PROBLEM_ACTS } from "@/lib/engine/problem";
import { MayOpen } from "../acts/may-open";
import { PlanDialog } from "../operations/plan-dialog-later";
import { useCommands } from "../palette/commands";
import { useRemember } from "../palette/recent";
import { BoardSkeleton } from "../shell/board-page";
import { QueryFailure } from "../shell/query-failure";
import { TopBar } from "../shell/top-bar";
import { StatusLabel } from "../status/status-label";
import { useDialogUrl } from "../ui/use-dialog-url";
import { Behind } from "./behind";
import { ExampleCard } from "./example-card";
import { FailureChart } from "./failure-chart";
import { HeldRuns } from "./held-runs";
import { ProblemActButtons } from "./problem-acts";
import { ProblemDialog } from "./problem-dialogs";
import { AboutProblem } from "./problem-facts";
import { ProblemHistory } from "./problem-history";
import { CameBack } from "./problem-item";
import { ProblemTitle } from "./problem-title";
import { ACT_WORDS, lookOf } from "./problem-words";

/** One problem: what failed, how often, what it holds, and what a person may do about it. */
export function ProblemPage({ problemId }: { problemId: string }) {
  const { data, error, refetch } = useProblem(problemId);
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
  const { open: act, show, close } = useDialogUrl([...PROBLEM_ACTS, "plan"]);
  const whyNoPlan = useWhyNot("plan.make");
  useRemember(`/problems/${problem.id}`, `${problem.example.pattern} · ${problem.title}`);
  useCommands(
    "This problem",
    problem.acts.map(({ act, open, because }) => ({
      id: `act ${act}`,
      label: ACT_WORDS[act],
      closed: open ? null : because,
      run: () => show(act),
    })),
  );
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
        <ProblemActButtons problem={problem} onAct={show} onPlan={() => show("plan")} />
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
      {act === "plan" && (
        <MayOpen because={whyNoPlan} onClose={close}>
          <PlanDialog
            selection={{ filter: { problem: problem.id } }}
            open
            onOpenChange={(open) => !open && close()}
            {...planOf(problem)}
          />
        </MayOpen>
      )}
      {act && act !== "plan" && (
        <MayOpen because={problem.acts.find((state) => state.act === act)?.because} onClose={close}>
          <ProblemDialog act={act} problem={problem} onClose={close} />
        </MayOpen>
      )}
    </>
  );
}

/** What failed is rerun; what is in doubt or failed to be undone wants a choice of acts. */
const planOf = ({ kind }: ProblemDetail) => (kind === "failed" ? { act: "rerun" as const } : {});
