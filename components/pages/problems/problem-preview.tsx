"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { FailureBars } from "@/components/domain/problems/failure-bars";
import { CameBack } from "@/components/domain/problems/problem-item";
import { ProblemTitle } from "@/components/domain/problems/problem-title";
import { lookOf } from "@/components/domain/problems/problem-words";
import { ErrorView } from "@/components/domain/run/error-view";
import { Inspector } from "@/components/parts/page/inspector";
import { InspectorSection } from "@/components/parts/page/inspector-section";
import { PreviewSkeleton } from "@/components/parts/page/preview-skeleton";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { StatusLabel } from "@/components/parts/status/status-label";
import type { ProblemDetail } from "@/lib/api/contract/problems";
import { useMarkSeen } from "@/lib/api/hooks/problem-hooks";
import { problemQuery } from "@/lib/api/hooks/queries";
import { BeganAfter } from "./began-after";
import { Behind } from "./behind";
import { AllHeldRuns, HeldRunList } from "./held-runs";
import { ProblemActs } from "./problem-acts";
import { ProblemFacts } from "./problem-facts";

/** The problem beside its list: what failed, the recommended action, and a link to its page. */
export function ProblemPreview({ problemId, onClose }: { problemId: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery(problemQuery(problemId));
  return (
    <Inspector
      title={data ? <ProblemTitle problem={data} /> : "A problem"}
      href={`/problems/${problemId}`}
      onClose={onClose}
    >
      {data && <Loaded key={data.id} problem={data} />}
      {!data && error && <QueryFailure what="the problem" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <PreviewSkeleton what="the problem" />}
    </Inspector>
  );
}

const SHOWN = 5;

function Loaded({ problem }: { problem: ProblemDetail }) {
  const { example, charts, cameBack, openRuns } = problem;
  useMarkSeen(problem);
  return (
    <div className="pb-6">
      <div className="grid gap-3 border-line border-b px-4 py-3.5">
        <div>
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <StatusLabel look={lookOf(problem)} />
            {cameBack && <CameBack after={cameBack.after} />}
          </p>
          <h2 className="mt-1 text-pretty break-words font-medium text-title">{example.pattern}</h2>
          <BeganAfter problem={problem} />
        </div>
        <ProblemActs problem={problem} />
        <Behind ms={problem.behindMs} />
      </div>
      <InspectorSection title="Failures in the last 24 hours">
        <FailureBars series={charts.day} period="24 hours" className="h-14 w-full" />
      </InspectorSection>
      <InspectorSection>
        <ProblemFacts problem={problem} />
      </InspectorSection>
      {openRuns > 0 && (
        <InspectorSection title="Affected runs" action={openRuns > SHOWN && <AllHeldRuns problem={problem} />}>
          <HeldRunList problem={problem} most={SHOWN} rowClass="h-11 md:h-[30px]" />
        </InspectorSection>
      )}
      <InspectorSection
        title="Latest error"
        action={
          <Link href={`/runs/${example.runId}`} prefetch={false} className="text-accent hover:underline">
            Its run
          </Link>
        }
      >
        {example.error ? <ErrorView error={example.error} /> : <p className="text-ink-3">No error was saved.</p>}
      </InspectorSection>
    </div>
  );
}
