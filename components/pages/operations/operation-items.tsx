"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { OUTCOME_LOOKS, othersOf } from "@/components/domain/operations/operation-words";
import { RunLink } from "@/components/domain/run/run-link";
import { ATTENTION_LOOKS, RUN_LOOKS } from "@/components/domain/run/run-looks";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Instant } from "@/components/parts/time/instant";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/feedback/spinner";
import { Segmented } from "@/components/ui/form/segmented";
import { Card } from "@/components/ui/layout/card";
import type { OperationAndRuns, OperationItemListResponse } from "@/lib/api/contract/operations";
import { isAtRest, operationItemsQuery } from "@/lib/api/hooks/queries";
import { formatCount } from "@/lib/format";

/** The outcome of each run, in the plan's order, with its current status. */
export function OperationItems({ operation }: { operation: OperationAndRuns }) {
  const [list, setList] = useState<"all" | "others">("all");
  const query = useInfiniteQuery(operationItemsQuery(operation.id, list, !isAtRest(operation)));
  const others = othersOf(operation);
  return (
    <Card
      title="Results by run"
      action={
        others > 0 && (
          <Segmented
            label="Which runs"
            value={list}
            onChange={setList}
            options={[
              { value: "all", text: "All" },
              { value: "others", text: `Not done (${formatCount(others)})` },
            ]}
          />
        )
      }
    >
      {!query.data && query.error && (
        <QueryFailure what="the runs" error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.isPending && (
        <p className="flex items-center gap-2 px-4 pb-4 text-ink-3">
          <Spinner /> Loading
        </p>
      )}
      {query.data?.length === 0 && <p className="px-4 pb-4 text-ink-3">No results yet.</p>}
      <ul aria-label="Results by run">
        {query.data?.map((item) => (
          <OperationItem key={item.position} item={item} />
        ))}
      </ul>
      {query.hasNextPage && (
        <div className="border-line border-t px-4 py-3">
          <Button size="small" disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {query.isFetchingNextPage && <Spinner />}
            More
          </Button>
        </div>
      )}
    </Card>
  );
}

type ItemView = OperationItemListResponse["items"][number];

/** The outcome of one run, why if it was not done, and the run's current status. */
export function OperationItem({ item: { runId, named, outcome, because, at, run } }: { item: ItemView }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-0.5 border-line border-t px-4 py-1.5">
      <StatusLabel look={OUTCOME_LOOKS[outcome]} className="w-28" />
      <RunLink runId={runId} names={named} />
      <span className="flex items-center gap-1.5 text-ink-3">
        now
        {run ? (
          <StatusLabel look={run.attention ? ATTENTION_LOOKS[run.attention] : RUN_LOOKS[run.status]} />
        ) : (
          "deleted"
        )}
      </span>
      <Instant at={at} className="ml-auto text-ink-3 text-small" />
      {because && <p className="w-full text-ink-2">{because}</p>}
    </li>
  );
}
