"use client";

import { CircleCheck } from "lucide-react";
import Link from "next/link";
import { useApprovals } from "@/lib/api/hooks/read-hooks";
import { plural } from "@/lib/format";
import { BoardSkeleton } from "../compensations/compensations-page";
import { QueryFailure } from "../shell/query-failure";
import { TopBar } from "../shell/top-bar";
import { Button } from "../ui/button";
import { Card } from "../ui/card";
import { EmptyState } from "../ui/empty-state";
import { ApprovalItem } from "./approval-item";

/** What runs ask of people, whoever has waited longest first. */
export function ApprovalsPage() {
  const query = useApprovals();
  return (
    <>
      <TopBar title="Approvals" />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto grid max-w-[1240px] gap-3.5 p-4 md:px-6 md:py-5">
          <Questions query={query} />
        </div>
      </div>
    </>
  );
}

function Questions({ query }: { query: ReturnType<typeof useApprovals> }) {
  if (!query.data && query.error)
    return <QueryFailure what="the approvals" error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <BoardSkeleton what="the approvals" />;
  const { approvals } = query.data;
  if (approvals.length === 0) return <NothingAsked />;
  return (
    <>
      <Card
        title="Waiting for an answer"
        note={
          <>
            {plural(approvals.length, "question")}
            {query.hasNextPage && " and more"}
          </>
        }
      >
        <ul>
          {approvals.map((item) => (
            <ApprovalItem key={`${item.runId} ${item.step}`} item={item} />
          ))}
        </ul>
      </Card>
      {query.hasNextPage && (
        <Button
          onClick={() => void query.fetchNextPage()}
          disabled={query.isFetchingNextPage}
          className="justify-self-center"
        >
          More
        </Button>
      )}
    </>
  );
}

function NothingAsked() {
  return (
    <EmptyState
      icon={<CircleCheck aria-hidden className="text-green" />}
      title="Nothing waits for an answer"
      action={
        <Button asChild>
          <Link href="/runs">All runs</Link>
        </Button>
      }
    >
      When a workflow asks a person with <code className="font-mono text-small">ctx.approval</code>, its question stands
      here until somebody has answered or its time is up.
    </EmptyState>
  );
}
