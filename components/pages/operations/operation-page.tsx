"use client";

import { useQuery } from "@tanstack/react-query";
import { ChevronLeft } from "lucide-react";
import Link from "next/link";
import { OPERATION_LOOKS, operationTitle } from "@/components/domain/operations/operation-words";
import { BoardSkeleton } from "@/components/parts/page/board-page";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { TopBar } from "@/components/parts/page/top-bar";
import { useRemember } from "@/components/parts/palette/recent";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Card } from "@/components/ui/layout/card";
import type { OperationAndRuns } from "@/lib/api/contract/operations";
import { operationQuery } from "@/lib/api/hooks/queries";
import { OperationActs } from "./operation-acts";
import { OperationFacts } from "./operation-facts";
import { OperationItems } from "./operation-items";
import { OperationProgress } from "./operation-progress";
import { OperationProof } from "./operation-proof";
import { PausedBecause } from "./paused-because";
import { RunsNow } from "./runs-now";

/** One operation: its progress, the outcome of each run, and the available actions. */
export function OperationPage({ operationId }: { operationId: string }) {
  const { data, error, refetch } = useQuery(operationQuery(operationId));
  return (
    <>
      <TopBar
        crumb={
          <Link href="/operations" className="flex items-center gap-1 text-ink-2 hover:text-ink max-md:min-h-11">
            <ChevronLeft aria-hidden className="size-4" />
            Bulk actions
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

function Loaded({ operation }: { operation: OperationAndRuns }) {
  useRemember(`/operations/${operation.id}`, operationTitle(operation));
  return (
    <>
      <header className="grid gap-3">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <h1 className="font-semibold text-title tracking-tight">{operationTitle(operation)}</h1>
          <span role="status">
            <StatusLabel look={OPERATION_LOOKS[operation.status]} />
          </span>
          <OperationActs operation={operation} className="md:ml-auto" />
        </div>
        <OperationProgress operation={operation} />
      </header>
      <PausedBecause operation={operation} />
      <div className="grid items-start gap-3.5 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        <RunsNow operation={operation} />
        <Card title="Plan">
          <div className="px-4 pb-4">
            <OperationFacts operation={operation} />
          </div>
        </Card>
      </div>
      <OperationProof operation={operation} />
      <OperationItems operation={operation} />
    </>
  );
}
