"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import Link from "next/link";
import { approvalsQuery } from "@/lib/api/hooks/queries";
import { plural } from "@/lib/format";
import { ListActWindow } from "../acts/list-act-window";
import { useBoardRuns } from "../runs/use-board-runs";
import { BoardPage } from "../shell/board-page";
import { Button } from "../ui/button";
import { EmptyState } from "../ui/feedback/empty-state";
import { Card } from "../ui/layout/card";
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
