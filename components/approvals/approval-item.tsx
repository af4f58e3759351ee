"use client";

import Link from "next/link";
import type { OpenApproval } from "@/lib/api/contract/responses";
import { shortenMiddle } from "@/lib/format";
import { PermittedButton } from "../access/permitted-button";
import { showAct } from "../acts/use-open-act";
import { nameInTags } from "../runs/run-words";
import { ATTENTION_LOOKS } from "../status/run-looks";
import { StatusLabel } from "../status/status-label";
import { Remaining } from "../time/elapsed";
import { Instant } from "../time/instant";
import { Fact, Facts } from "../ui/facts";
import { JsonView } from "../values/json-view";

/** One question, what stands beside it, and a button for each answer. */
export function ApprovalItem({ item }: { item: OpenApproval }) {
  return (
    <li className="grid gap-x-6 gap-y-3 border-line border-t px-4 py-4 first:border-t-0 first:pt-1 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
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
      <ItemFacts item={item} />
    </li>
  );
}

function ItemFacts({ item }: { item: OpenApproval }) {
  const key = nameInTags(item.tags) ?? shortenMiddle(item.runId);
  return (
    <div className="min-w-0">
      <Facts>
        <Fact name="Run">
          <Link
            href={`/runs/${item.runId}?step=${encodeURIComponent(item.step)}`}
            className="rounded font-mono text-accent text-small hover:underline"
          >
            {key}
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
