"use client";

import Link from "next/link";
import { ErrorView } from "@/components/domain/run/error-view";
import { lookOfCompensation } from "@/components/domain/run/step-looks";
import { type BoardPlace, boardHref, boardName } from "@/components/domain/run-preview/use-board-runs";
import { BoardItem } from "@/components/parts/page/board-item";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Instant } from "@/components/parts/time/instant";
import type { OwedCompensation } from "@/lib/api/contract/responses";
import { ItemActs } from "./item-acts";
import { ItemFacts } from "./item-facts";

interface CompensationItemProps {
  item: OwedCompensation;
  place: BoardPlace;
}

/** One compensation: what was done, what remains, its assignee, and the buttons to report it. */
export function CompensationItem({ item, place }: CompensationItemProps) {
  const { compensation, lane } = item;
  return (
    <BoardItem id={place.id} selected={place.selected}>
      <div className="min-w-0">
        <ItemHead item={item} place={place} />
        {lane !== "settled" && compensation.instructions && (
          <p className="mt-2 max-w-prose whitespace-pre-wrap break-words">{compensation.instructions}</p>
        )}
        {lane !== "settled" && compensation.error && (
          <div className="mt-2">
            <ErrorView error={compensation.error} tone={lane === "failed" ? "red" : "amber"} />
          </div>
        )}
        {lane !== "settled" && <ItemActs item={item} />}
      </div>
      <ItemFacts item={item} />
    </BoardItem>
  );
}

function ItemHead({ item, place }: CompensationItemProps) {
  const { compensation } = item;
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2.5">
        <StatusLabel look={lookOfCompensation(compensation)} />
        <span className="text-ink-3">
          <Since item={item} />
        </span>
      </p>
      <h3 className="mt-0.5 break-words font-semibold text-title">
        Compensate <span className="font-mono text-[13.5px]">{item.step}</span> ·{" "}
        <Link
          href={boardHref(item)}
          prefetch={false}
          onClick={place.onClick}
          className="rounded font-mono text-[13.5px] text-accent hover:underline"
        >
          {boardName(item)}
        </Link>
      </h3>
    </>
  );
}

function Since({ item: { compensation } }: { item: OwedCompensation }) {
  const { finishedAt, owedAt, by, assignee, assignedBy, assignedAt } = compensation;
  if (finishedAt)
    return (
      <>
        by {by}, <Instant at={finishedAt} as="relative" />
      </>
    );
  return (
    <>
      {owedAt && (
        <>
          opened <Instant at={owedAt} as="relative" />
        </>
      )}
      {assignee && assignedAt && (
        <span className="text-ink">
          {" "}
          · {assignedBy === assignee ? `assigned to ${assignee}` : `assigned to ${assignee} by ${assignedBy}`}{" "}
          <Instant at={assignedAt} as="relative" />
        </span>
      )}
    </>
  );
}
