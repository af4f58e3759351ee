"use client";

import Link from "next/link";
import { PermittedButton } from "@/components/domain/access/permitted-button";
import { showAct } from "@/components/domain/actions/use-open-act";
import { ATTENTION_LOOKS } from "@/components/domain/run/run-looks";
import { type BoardPlace, boardHref, boardName } from "@/components/domain/run-preview/use-board-runs";
import { BoardItem } from "@/components/parts/page/board-item";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Remaining } from "@/components/parts/time/elapsed";
import { Instant } from "@/components/parts/time/instant";
import { JsonView } from "@/components/parts/values/json-view";
import { Fact, Facts } from "@/components/ui/layout/facts";
import type { OpenApproval } from "@/lib/api/contract/responses";

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
          <Fact name="Expires">
            <Instant at={item.until} /> (<Remaining until={item.until} />)
          </Fact>
        )}
      </Facts>
      {item.data !== null && <JsonView value={item.data} what="data of the question" className="mt-2 max-h-60" />}
    </div>
  );
}
