"use client";

import { ChevronLeft } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import type { Operation } from "@/lib/api/contract/operations";
import { useOperation, useOperationItems } from "@/lib/api/hooks/operation-hooks";
import { BoardSkeleton } from "../shell/board-page";
import { QueryFailure } from "../shell/query-failure";
import { TopBar } from "../shell/top-bar";
import { ProgressBar, progressText } from "../status/progress-bar";
import { StatusLabel } from "../status/status-label";
import { Instant } from "../time/instant";
import { Button } from "../ui/button";
import { Callout } from "../ui/callout";
import { Card } from "../ui/card";
import { Fact, Facts } from "../ui/facts";
import { OperationDialog, type OperationDialogAct } from "./operation-dialogs";
import { ACT_WORDS, OPERATION_LOOKS, OUTCOME_LOOKS, progressOf } from "./operation-words";
import { runsText } from "./plan-words";

/** One operation: how far it has come, what became of each run, and what a person may do about it. */
export function OperationPage({ operationId }: { operationId: string }) {
  const { data, error, refetch } = useOperation(operationId);
  return (
    <>
      <TopBar
        crumb={
          <Link href="/operations" className="flex items-center gap-1 text-ink-2 hover:text-ink">
            <ChevronLeft aria-hidden className="size-4" />
            Operations
          </Link>
        }
      />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto grid max-w-[1240px] gap-3.5 p-4 md:px-6 md:py-5">
          {data && <Loaded operation={data} />}
          {!data && error && <QueryFailure what="the operation" error={error} onRetry={() => void refetch()} />}
          {!data && !error && <BoardSkeleton what="the operation" />}
        </div>
      </div>
    </>
  );
}

function Loaded({ operation }: { operation: Operation }) {
  const [act, setAct] = useState<OperationDialogAct | null>(null);
  const { act: planned, counts, status, pausedBecause, finishedAt } = operation;
  const progress = progressOf(operation);
  return (
    <>
      <header className="grid gap-3">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="font-semibold text-title tracking-tight">
            {ACT_WORDS[planned]} {runsText(counts.total)}
          </h1>
          <StatusLabel look={OPERATION_LOOKS[status]} />
        </div>
        <ProgressBar progress={progress} />
        <p className="text-ink-2">{progressText(progress)}</p>
        {!finishedAt && (
          <div className="flex flex-wrap gap-2">
            {status === "paused" ? (
              <Button variant="primary" onClick={() => setAct("resume")}>
                Resume…
              </Button>
            ) : (
              <Button onClick={() => setAct("pause")}>Pause…</Button>
            )}
            <Button onClick={() => setAct("rate")}>Change the rate…</Button>
            <Button onClick={() => setAct("abort")}>Abort…</Button>
          </div>
        )}
      </header>
      {pausedBecause && (
        <Callout tone="amber" title="Paused: nothing begins until somebody resumes it">
          <p className="text-ink-2">{pausedBecause}</p>
        </Callout>
      )}
      <About operation={operation} />
      <Items operation={operation} />
      {act && <OperationDialog act={act} operation={operation} onClose={() => setAct(null)} />}
    </>
  );
}

function About({ operation }: { operation: Operation }) {
  const { reason, startedBy, createdAt, ratePerSecond, counts, runId, finishedAt } = operation;
  return (
    <Card title="What it does">
      <div className="px-4 pb-4">
        <Facts>
          <Fact name="Why">{reason}</Fact>
          <Fact name="Started">
            {startedBy}, <Instant at={createdAt} />
          </Fact>
          {finishedAt && (
            <Fact name="Ended">
              <Instant at={finishedAt} />
            </Fact>
          )}
          <Fact name="Rate">{ratePerSecond} runs a second</Fact>
          <Fact name="Done">{counts.done}</Fact>
          <Fact name="Already">{counts.already}</Fact>
          <Fact name="Not eligible">{counts.notEligible}</Fact>
          <Fact name="Changed since">{counts.changed}</Fact>
          <Fact name="Failed">{counts.failed}</Fact>
          {runId && (
            <Fact name="Its run">
              <Link href={`/runs/${runId}`} className="break-all font-mono text-small hover:underline">
                {runId}
              </Link>
            </Fact>
          )}
        </Facts>
      </div>
    </Card>
  );
}

function Items({ operation: { id, counts } }: { operation: Operation }) {
  const others = counts.already + counts.notEligible + counts.changed + counts.failed;
  const [list, setList] = useState<"all" | "others">("all");
  const { data = [], hasNextPage, fetchNextPage } = useOperationItems(id, list);
  return (
    <Card
      title="What became of each run"
      action={
        others > 0 && (
          <Button size="small" onClick={() => setList(list === "all" ? "others" : "all")}>
            {list === "all" ? `Only those not done (${others})` : "All"}
          </Button>
        )
      }
    >
      <ul>
        {data.map(({ position, runId, outcome, because }) => (
          <li key={position} className="flex flex-wrap gap-x-4 gap-y-1 border-line border-t px-4 py-2">
            <StatusLabel look={OUTCOME_LOOKS[outcome]} className="w-36" />
            <Link href={`/runs/${runId}`} className="break-all font-mono text-small hover:underline">
              {runId}
            </Link>
            {because && <span className="text-ink-2">{because}</span>}
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <div className="px-4 py-3">
          <Button onClick={() => void fetchNextPage()}>More</Button>
        </div>
      )}
    </Card>
  );
}
