"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { useState } from "react";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { Button } from "@/components/ui/button";
import { ExportButtons } from "@/components/ui/export-buttons";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import { Loading, Skeleton } from "@/components/ui/feedback/skeleton";
import { hrefOf } from "@/lib/api/client/browser";
import type { Run } from "@/lib/api/contract/run";
import { runEffectsQuery } from "@/lib/api/hooks/queries";
import type { EffectVerdict } from "@/lib/engine/steps/effect-verdict";
import { EffectTable } from "./effect-table";
import { VerdictBanner } from "./verdict-banner";

/** The run's ledger: its effects, and whether anything happened twice. */
export function EffectsTab({ run }: { run: Run }) {
  const [shown, setShown] = useState<EffectVerdict[]>([]);
  const query = useInfiniteQuery(runEffectsQuery(run.id, shown));
  if (!query.data && query.error)
    return <QueryFailure what="the effects" error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <EffectsSkeleton />;
  const { effects, tally } = query.data;
  if (tally?.verdict === null) return <NoEffects />;
  return (
    <div className="grid max-w-[1240px] gap-3 px-4 py-3 md:px-6">
      {tally && <VerdictBanner tally={tally} shown={shown} onShow={setShown} />}
      <ExportButtons href={(format) => hrefOf("/v1/runs/{runId}/effects/export", { runId: run.id, format })} />
      <EffectTable effects={effects} />
      {query.hasNextPage && (
        <Button
          className="justify-self-start print:hidden"
          disabled={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          More
        </Button>
      )}
    </div>
  );
}

const NoEffects = () => (
  <EmptyState icon={<CircleCheck aria-hidden />} title="This run has no effects">
    Listed here: transactions, and every step that is not declared <code className="font-mono text-small">pure</code>.
    Sleeps, events and children have no effects.
  </EmptyState>
);

export const EffectsSkeleton = () => (
  <Loading what="the effects" className="grid gap-3 px-4 py-4 md:px-6">
    <Skeleton className="h-12 w-full" />
    <Skeleton className="h-8 w-full" />
    <Skeleton className="h-8 w-full" />
  </Loading>
);
