"use client";

import { CircleCheck } from "lucide-react";
import Link from "next/link";
import { useCompensations } from "@/lib/api/hooks/read-hooks";
import { plural } from "@/lib/format";
import { QueryFailure } from "../shell/query-failure";
import { TopBar } from "../shell/top-bar";
import { Button } from "../ui/button";
import { Card } from "../ui/card";
import { EmptyState } from "../ui/empty-state";
import { Loading, Skeleton } from "../ui/skeleton";
import { groupCompensations } from "./compensation-groups";
import { CompensationItem } from "./compensation-item";

/** What is still to be undone, and by whom. */
export function CompensationsPage() {
  const query = useCompensations();
  return (
    <>
      <TopBar title="Compensations" />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto grid max-w-[1240px] gap-3.5 p-4 md:px-6 md:py-5">
          <Board query={query} />
        </div>
      </div>
    </>
  );
}

function Board({ query }: { query: ReturnType<typeof useCompensations> }) {
  if (!query.data && query.error)
    return <QueryFailure what="the compensations" error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <BoardSkeleton what="the compensations" />;
  const groups = groupCompensations(query.data.compensations);
  if (groups.length === 0) return <NothingOwed />;
  return (
    <>
      {groups.map((group) => (
        <Card
          key={group.id}
          title={group.title}
          note={
            <>
              {plural(group.items.length, "undo", "undos")} <span className="max-md:hidden">· {group.note}</span>
            </>
          }
        >
          <ul>
            {group.items.map((item) => (
              <CompensationItem key={`${item.runId} ${item.step} ${item.generation}`} item={item} />
            ))}
          </ul>
        </Card>
      ))}
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

function NothingOwed() {
  return (
    <EmptyState
      icon={<CircleCheck aria-hidden className="text-green" />}
      title="Nothing is owed"
      action={
        <Button asChild>
          <Link href="/runs?status=compensated,compensating">Runs that were undone</Link>
        </Button>
      }
    >
      When a run is undone, each effect it had stands here until its undo has an outcome.
    </EmptyState>
  );
}

export function BoardSkeleton({ what }: { what: string }) {
  return (
    <Loading what={what} className="grid gap-4 rounded-[10px] border border-line bg-panel p-4">
      <Skeleton className="h-4 w-24" />
      <Skeleton className="h-5 w-72 max-w-full" />
      <Skeleton className="h-16 w-full" />
      <Skeleton className="h-7 w-56" />
    </Loading>
  );
}
