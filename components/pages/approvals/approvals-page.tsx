"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import Link from "next/link";
import { ListActWindow } from "@/components/domain/actions/list-act-window";
import { useBoardRuns } from "@/components/domain/run-preview/use-board-runs";
import { BoardPage } from "@/components/parts/page/board-page";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import { Card } from "@/components/ui/layout/card";
import { useWhyNot } from "@/lib/api/hooks/access-hooks";
import { approvalsQuery, planApprovalsQuery } from "@/lib/api/hooks/queries";
import { plural } from "@/lib/format";
import { ApprovalItem } from "./approval-item";
import { PlanApprovalItem } from "./plan-approval-item";

/**
 * Plans that need a second person, and the questions that runs ask, longest wait first; the run of a question is at
 * right.
 */
export function ApprovalsPage() {
  const query = useInfiniteQuery(approvalsQuery());
  const { placeOf, beside } = useBoardRuns(query.data?.approvals ?? []);
  return (
    <>
      <BoardPage title="Approvals" query={query} above={<PlansForTwo />} beside={beside}>
        {({ approvals }) =>
          approvals.length === 0 ? (
            <NothingAsked />
          ) : (
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
                  <ApprovalItem key={`${item.runId} ${item.step}`} item={item} place={placeOf(item)} />
                ))}
              </ul>
            </Card>
          )
        }
      </BoardPage>
      <ListActWindow />
    </>
  );
}

function NothingAsked() {
  return (
    <EmptyState
      icon={<CircleCheck aria-hidden className="text-green" />}
      title="No open approvals"
      action={
        <Button asChild>
          <Link href="/runs">All runs</Link>
        </Button>
      }
    >
      When a workflow asks a person with <code className="font-mono text-small">ctx.approval</code>, its question is
      listed here until someone answers or it expires.
    </EmptyState>
  );
}

/** Plans that need two people, oldest first; renders nothing if there are none or the user lacks the permission. */
function PlansForTwo() {
  return useWhyNot("operation.read") === null ? <Waiting /> : null;
}

function Waiting() {
  const { data: items = [], hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(planApprovalsQuery());
  if (items.length === 0) return null;
  return (
    <Card
      title="Plans to approve"
      note={
        <>
          {plural(items.length, "plan")}
          {hasNextPage && " so far"}{" "}
          <span className="max-md:hidden">· requested by one person, answered by another</span>
        </>
      }
    >
      <ul>
        {items.map((item) => (
          <PlanApprovalItem key={item.planId} item={item} />
        ))}
      </ul>
      {hasNextPage && (
        <Button className="mx-4 mb-4" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          More
        </Button>
      )}
    </Card>
  );
}
