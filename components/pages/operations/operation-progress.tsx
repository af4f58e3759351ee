"use client";

import { OUTCOME_LOOKS, outcomesOf, progressSentence } from "@/components/domain/operations/operation-words";
import { StatusLabel } from "@/components/parts/status/status-label";
import type { Operation } from "@/lib/api/contract/operations";
import { classNames } from "@/lib/class-names";
import { formatCount } from "@/lib/format";

const FILLS = {
  done: "bg-green",
  already: "bg-ink-3",
  not_eligible: "bg-amber",
  changed: "bg-amber",
  failed: "bg-red",
} as const;

/** Progress: a bar of outcomes, the same in words, and the expected end. */
export function OperationProgress({ operation }: { operation: Operation }) {
  const outcomes = outcomesOf(operation);
  return (
    <div className="grid gap-2">
      <OutcomeBar operation={operation} className="h-2" />
      <div className="flex flex-wrap items-center gap-x-5 gap-y-1">
        <p className="text-ink-2">{progressSentence(operation)}</p>
        <ul aria-label="Outcomes" className="flex flex-wrap gap-x-4 gap-y-1 md:ml-auto">
          {outcomes
            .filter(({ count }) => count > 0)
            .map(({ outcome, count }) => (
              <li key={outcome} className="flex items-center gap-1.5">
                <StatusLabel look={OUTCOME_LOOKS[outcome]} />
                <span className="font-medium">{formatCount(count)}</span>
              </li>
            ))}
        </ul>
      </div>
    </div>
  );
}

/** Each outcome by its share; the text of the progress bar names them. */
export function OutcomeBar({ operation, className }: { operation: Operation; className?: string }) {
  const outcomes = outcomesOf(operation);
  const { total } = operation.counts;
  return (
    <span
      role="progressbar"
      aria-label="Progress"
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={outcomes.reduce((sum, { count }) => sum + count, 0)}
      aria-valuetext={progressSentence(operation)}
      className={classNames("flex h-[5px] w-full gap-px overflow-hidden rounded-full bg-gray-soft", className)}
    >
      {outcomes
        .filter(({ count }) => count > 0)
        .map(({ outcome, count }) => (
          <span
            key={outcome}
            className={classNames(
              "h-full transition-[width] duration-300 motion-reduce:transition-none",
              FILLS[outcome],
            )}
            style={{ width: `${(count / total) * 100}%` }}
          />
        ))}
    </span>
  );
}
