"use client";

import { useQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { BoardPage } from "@/components/parts/page/board-page";
import { Instant } from "@/components/parts/time/instant";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import { Card } from "@/components/ui/layout/card";
import type { RetentionResponse } from "@/lib/api/contract/responses";
import { retentionQuery } from "@/lib/api/hooks/queries";
import { formatCount, formatDuration, plural } from "@/lib/format";
import { EraseSubject } from "./erase-subject";

type Kept = RetentionResponse["workflows"][number];

/** What workers delete, and what is deleted next. */
export function RetentionPage() {
  return (
    <BoardPage title="Retention" query={useQuery(retentionQuery())}>
      {({ workflows }) => (
        <div className="grid gap-4">
          <KeptRuns workflows={workflows} />
          <EraseSubject />
        </div>
      )}
    </BoardPage>
  );
}

export function KeptRuns({ workflows }: Pick<RetentionResponse, "workflows">) {
  if (workflows.length > 0) return <Limits workflows={workflows} />;
  return (
    <EmptyState icon={<History aria-hidden />} title="All runs are kept forever">
      Give a workflow <code className="font-mono text-small">retention</code>, and workers delete its old runs.
    </EmptyState>
  );
}

function Limits({ workflows }: Pick<RetentionResponse, "workflows">) {
  return (
    <Card title="Deleted after" note="Everything else is kept forever">
      <ul className="@container">
        {workflows.map((kept) => (
          <li
            key={kept.workflow}
            className="grid gap-x-6 gap-y-1 border-line border-t px-4 py-3 @[820px]:grid-cols-[minmax(170px,1fr)_minmax(0,1.8fr)_minmax(0,1.2fr)]"
          >
            <span className="font-medium">{kept.title}</span>
            <span className="text-ink-2">{keptWords(kept)}</span>
            <span className="text-ink-3 @[820px]:text-right">
              {kept.due > 0 ? (
                `${formatCount(kept.due)} ${kept.due === 1 ? "run" : "runs"} due now`
              ) : (
                <Next kept={kept} />
              )}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Next({ kept: { nextAt } }: { kept: Kept }) {
  if (nextAt === null) return "nothing due yet";
  return (
    <>
      next: <Instant at={nextAt} className="text-ink-2" />
    </>
  );
}

const DAY_MS = 86_400_000;

function keptWords({ completedMs, failedMs, cancelledMs, compensatedMs }: Kept): string {
  const outcomes = { completed: completedMs, failed: failedMs, cancelled: cancelledMs, compensated: compensatedMs };
  const [kept, ...others] = new Set(Object.values(outcomes));
  if (kept && others.length === 0) return `all outcomes, for ${forWords(kept)}`;
  return Object.entries(outcomes)
    .flatMap(([outcome, ms]) => (ms === null ? [] : [`${outcome} for ${forWords(ms)}`]))
    .join(", ");
}

const forWords = (ms: number) => (ms % DAY_MS === 0 ? plural(ms / DAY_MS, "day") : formatDuration(ms));
