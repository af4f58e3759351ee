"use client";

import Link from "next/link";
import { Instant } from "@/components/parts/time/instant";
import { JsonView } from "@/components/parts/values/json-view";
import { OutsideLink } from "@/components/parts/values/outside-link";
import { Disclosure } from "@/components/ui/layout/disclosure";
import { Fact, Facts } from "@/components/ui/layout/facts";
import { Copyable } from "@/components/ui/text/copyable";
import type { OwedCompensation } from "@/lib/api/contract/responses";

/** The step's effect, its key, and the manual reports about its compensation. */
export function ItemFacts({ item }: { item: OwedCompensation }) {
  const { compensation } = item;
  return (
    <div className="min-w-0">
      <Facts>
        <Fact name="Workflow">
          <Link href={`/workflows/${encodeURIComponent(item.workflow)}`} className="rounded hover:underline">
            {item.workflow}
          </Link>{" "}
          <span className="text-ink-3">version {item.version}</span>
        </Fact>
        <Fact name="Reference">
          {item.stepReference ? (
            <Copyable text={item.stepReference} what="the reference" />
          ) : (
            <span className="text-ink-3">no reference recorded</span>
          )}
        </Fact>
        <Fact name="Idempotency key">
          <Copyable text={item.idempotencyKey} what="the idempotency key" />
        </Fact>
        {item.stepFinishedAt && (
          <Fact name="Completed at">
            <Instant at={item.stepFinishedAt} as="full" />
          </Fact>
        )}
        {item.behind && (
          <Fact name="Waits for">
            the compensation of <span className="font-mono text-small">{item.behind}</span>
          </Fact>
        )}
        {compensation.nextAttemptAt && (
          <Fact name="Next attempt">
            <Instant at={compensation.nextAttemptAt} as="relative" />
          </Fact>
        )}
        {compensation.note && <Fact name="Note">{compensation.note}</Fact>}
        {compensation.reference && (
          <Fact name="Compensation reference">
            <Copyable text={compensation.reference} what="the compensation's reference" />
          </Fact>
        )}
        {compensation.evidence && (
          <Fact name="Evidence">
            <OutsideLink address={compensation.evidence} />
          </Fact>
        )}
      </Facts>
      <Disclosure summary="Output of the step" className="mt-2">
        <JsonView value={item.stepOutput} what={`the output of ${item.step}`} className="mt-1" />
      </Disclosure>
    </div>
  );
}
