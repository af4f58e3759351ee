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
import { approvalsQuery } from "@/lib/api/hooks/queries";
import { plural } from "@/lib/format";
import { ApprovalItem } from "./approval-item";
import { PlansForTwo } from "./plans-for-two";

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
