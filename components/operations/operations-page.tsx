"use client";

import { ListChecks } from "lucide-react";
import Link from "next/link";
import type { Operation } from "@/lib/api/contract/operations";
import { useOperations } from "@/lib/api/hooks/operation-hooks";
import { BoardPage } from "../shell/board-page";
import { StatusLabel } from "../status/status-label";
import { Instant } from "../time/instant";
import { Card } from "../ui/card";
import { EmptyState } from "../ui/empty-state";
import { OutcomeBar } from "./operation-progress";
import { ACT_WORDS, OPERATION_LOOKS, progressSentence } from "./operation-words";
import { runsText } from "./plan-words";

/** What was done to many runs at once, newest first. */
export function OperationsPage() {
  return (
    <BoardPage title="Operations" query={useOperations()}>
      {(operations) => <Loaded operations={operations} />}
    </BoardPage>
  );
}

function Loaded({ operations }: { operations: Operation[] }) {
  if (operations.length === 0)
    return (
      <EmptyState icon={<ListChecks aria-hidden />} title="Nothing was done to many runs at once yet">
        Filter the <Link href="/runs">runs</Link>, then act on all that match: you see what will happen before it does.
      </EmptyState>
    );
  return (
    <Card>
      <ul>
        {operations.map((operation) => (
          <OperationItem key={operation.id} operation={operation} />
        ))}
      </ul>
    </Card>
  );
}

function OperationItem({ operation }: { operation: Operation }) {
  const { id, act, counts, status, reason, startedBy, createdAt } = operation;
  return (
    <li className="grid gap-x-6 gap-y-1.5 border-line border-t px-4 py-3 first:border-t-0 md:grid-cols-[2fr_1fr_1fr] md:items-center">
      <div className="min-w-0">
        <Link href={`/operations/${id}`} className="font-medium hover:underline">
          {ACT_WORDS[act]} {runsText(counts.total)}
        </Link>
        <p className="truncate text-ink-3">{reason}</p>
      </div>
      <div className="grid gap-1.5">
        <StatusLabel look={OPERATION_LOOKS[status]} />
        <OutcomeBar operation={operation} />
        <p className="text-ink-3 text-small">{progressSentence(operation)}</p>
      </div>
      <p className="text-ink-3">
        {startedBy}, <Instant at={createdAt} as="relative" className="text-ink-2" />
      </p>
    </li>
  );
}
