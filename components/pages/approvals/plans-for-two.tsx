"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/layout/card";
import { useWhyNot } from "@/lib/api/hooks/access-hooks";
import { planApprovalsQuery } from "@/lib/api/hooks/queries";
import { plural } from "@/lib/format";
import { PlanApprovalItem } from "./plan-approval-item";

/** Plans that need two people, oldest first; renders nothing if there are none or the user lacks the permission. */
export function PlansForTwo() {
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
