"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { OPERATION_LOOKS, operationTitle, othersOf } from "@/components/domain/operations/operation-words";
import { Inspector } from "@/components/parts/page/inspector";
import { InspectorSection } from "@/components/parts/page/inspector-section";
import { PreviewSkeleton } from "@/components/parts/page/preview-skeleton";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Skeleton } from "@/components/ui/feedback/skeleton";
import type { OperationAndRuns } from "@/lib/api/contract/operations";
import { isAtRest, operationItemsQuery, operationQuery } from "@/lib/api/hooks/queries";
import { formatCount } from "@/lib/format";
import { OperationActs } from "./operation-acts";
import { OperationFacts } from "./operation-facts";
import { OperationItem } from "./operation-items";
import { OperationProgress } from "./operation-progress";
import { PausedBecause } from "./paused-because";
import { notAll, StandingList } from "./runs-now";

/** The operation beside its list: progress, actions, and what it could not do. */
export function OperationPreview({ operationId, onClose }: { operationId: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery(operationQuery(operationId));
  return (
    <Inspector
      title={data ? operationTitle(data) : "An operation"}
      href={`/operations/${operationId}`}
      onClose={onClose}
    >
      {data && <Loaded key={data.id} operation={data} />}
      {!data && error && <QueryFailure what="the operation" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <PreviewSkeleton what="the operation" />}
    </Inspector>
  );
}

function Loaded({ operation }: { operation: OperationAndRuns }) {
  const { status, runs } = operation;
  return (
    <div className="pb-6">
      <div className="grid gap-3 border-line border-b px-4 py-3.5">
        <span role="status">
          <StatusLabel look={OPERATION_LOOKS[status]} />
        </span>
        <OperationProgress operation={operation} />
        <OperationActs operation={operation} />
        <PausedBecause operation={operation} />
      </div>
      <SomeRuns operation={operation} />
      <InspectorSection title="Current run status" action={<span className="text-ink-3">{notAll(runs)}</span>}>
        <StandingList runs={runs} />
      </InspectorSection>
      <InspectorSection title="Plan">
        <OperationFacts operation={operation} />
      </InspectorSection>
    </div>
  );
}

const SHOWN = 5;

/**
 * A sample of its runs, each with its current status: first those that could not be done as planned, with the reason.
 */
function SomeRuns({ operation }: { operation: OperationAndRuns }) {
  const others = othersOf(operation);
  const { data: items } = useInfiniteQuery(
    operationItemsQuery(operation.id, others > 0 ? "others" : "all", !isAtRest(operation)),
  );
  if (items?.length === 0) return null;
  const title = others > 0 ? `Not done (${formatCount(others)})` : "The first of its runs";
  return (
    <InspectorSection
      title={title}
      action={
        <Link href={`/operations/${operation.id}`} prefetch={false} className="text-accent hover:underline">
          All of them
        </Link>
      }
    >
      {items ? (
        <ul aria-label={title} className="-mx-4">
          {items.slice(0, SHOWN).map((item) => (
            <OperationItem key={item.position} item={item} />
          ))}
        </ul>
      ) : (
        <Skeleton className="h-16" />
      )}
    </InspectorSection>
  );
}
