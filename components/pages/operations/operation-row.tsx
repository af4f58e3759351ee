import Link from "next/link";
import type { MouseEvent } from "react";
import { OPERATION_LOOKS, operationTitle, progressSentence } from "@/components/domain/operations/operation-words";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Instant } from "@/components/parts/time/instant";
import type { Operation } from "@/lib/api/contract/operations";
import { classNames } from "@/lib/class-names";
import { OutcomeBar } from "./operation-progress";

export const operationRowId = (id: string) => `operation-${id}`;

interface OperationRowProps {
  operation: Operation;
  /** Whether it is in the inspector. */
  selected: boolean;
  onClick: (event: MouseEvent) => void;
}

/** One operation as a row of the list, which its link fills. */
export function OperationRow({ operation, selected, onClick }: OperationRowProps) {
  const { id, status, reason, startedBy, createdAt } = operation;
  return (
    <li
      id={operationRowId(id)}
      aria-current={selected || undefined}
      className={classNames(
        "relative grid @[680px]:grid-cols-[2fr_1fr_1fr] @[680px]:items-center gap-x-6 gap-y-1.5 border-line border-t px-4 py-3 transition-colors first:rounded-t-[10px] first:border-t-0 last:rounded-b-[10px]",
        selected ? "bg-accent-soft" : "hover:bg-sunken",
      )}
    >
      <div className="min-w-0">
        <Link
          href={`/operations/${id}`}
          prefetch={false}
          onClick={onClick}
          className="font-medium outline-none after:absolute after:inset-0 focus-visible:after:rounded-[9px] focus-visible:after:outline-2 focus-visible:after:outline-accent focus-visible:after:-outline-offset-2"
        >
          {operationTitle(operation)}
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
