"use client";

import Link from "next/link";
import type { OpenApproval } from "@/lib/api/contract/responses";
import { PermittedButton } from "../access/permitted-button";
import { showAct } from "../acts/use-open-act";
import { type BoardPlace, boardHref, boardName } from "../runs/use-board-runs";
import { BoardItem } from "../shell/board-item";
import { ATTENTION_LOOKS } from "../status/run-looks";
import { StatusLabel } from "../status/status-label";
import { Remaining } from "../time/elapsed";
import { Instant } from "../time/instant";
import { Fact, Facts } from "../ui/layout/facts";
import { JsonView } from "../values/json-view";

interface ApprovalItemProps {
  item: OpenApproval;
  place: BoardPlace;
}

/** One question with its context, and a button for each answer. */
export function ApprovalItem({ item, place }: ApprovalItemProps) {
  return (
    <BoardItem id={place.id} selected={place.selected}>
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2.5">
          <StatusLabel look={ATTENTION_LOOKS.approval} />
          <span className="text-ink-3">
            asked <Instant at={item.since} as="relative" />
          </span>
        </p>
        <h3 className="mt-0.5 max-w-prose whitespace-pre-wrap break-words font-semibold text-title">{item.question}</h3>
        <div className="mt-3 flex flex-wrap gap-2">
          {item.choices.map((text) => (
            <PermittedButton
              key={text}
              action="run.answer"
              workflow={item.workflow}
              onClick={() => showAct({ act: "answer", step: item.step, choice: text }, item)}
              className="max-w-full"
            >
              <span className="truncate first-letter:uppercase">{text}…</span>
            </PermittedButton>
          ))}
        </div>
      </div>
      <ItemFacts item={item} place={place} />
    </BoardItem>
  );
}

function ItemFacts({ item, place }: ApprovalItemProps) {
  return (
    <div className="min-w-0">
      <Facts>
        <Fact name="Run">
          <Link
            href={boardHref(item)}
            prefetch={false}
            onClick={place.onClick}
            className="rounded font-mono text-accent text-small hover:underline"
          >
            {boardName(item)}
          </Link>
        </Fact>
        <Fact name="Workflow">
          <Link href={`/workflows/${encodeURIComponent(item.workflow)}`} className="rounded hover:underline">
            {item.title}
          </Link>
        </Fact>
        {item.until && (
          <Fact name="Time is up">
            <Instant at={item.until} /> (<Remaining until={item.until} />)
          </Fact>
        )}
      </Facts>
      {item.data !== null && (
        <JsonView value={item.data} what="what stands beside the question" className="mt-2 max-h-60" />
      )}
    </div>
  );
}
