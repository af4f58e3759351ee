import { Instant } from "@/components/parts/time/instant";
import { JsonView } from "@/components/parts/values/json-view";
import { Fact, Facts } from "@/components/ui/layout/facts";
import { Copyable } from "@/components/ui/text/copyable";
import type { EventView, Run } from "@/lib/api/contract/run";
import { plural } from "@/lib/format";
import { cameEarly } from "./event-facts";

/** One event: its outcome, its sender, and its payload. */
export function EventItem({ run, event }: { run: Run; event: EventView }) {
  return (
    <li className="grid items-start gap-x-6 gap-y-2 border-line border-t px-3 py-2.5 first:border-t-0 md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <div className="min-w-0">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="min-w-0 break-words font-medium font-mono text-small">{event.name}</span>
          <WhatBecame run={run} event={event} />
        </p>
        <Facts className="mt-1.5">
          <Fact name="Sent">
            <Instant at={event.sentAt} as="full" /> by {event.sentBy ?? "a program"}
          </Fact>
          <Fact name="To">{event.key ? <Copyable text={event.key} what="the key" /> : "this run"}</Fact>
          <Fact name="Id">
            <Copyable text={event.id} what="the event's id" />
          </Fact>
          {event.repeatedAt && (
            <Fact name="Sent again">
              {plural(event.repeats, "time")} with this id and refused, last <Instant at={event.repeatedAt} />
            </Fact>
          )}
        </Facts>
      </div>
      <JsonView value={event.payload} what="the payload" />
    </li>
  );
}

function WhatBecame({ run, event }: { run: Run; event: EventView }) {
  if (event.takenByStep === null)
    return <span className="text-amber">{run.finishedAt ? "never received" : "not received yet"}</span>;
  return (
    <span className="min-w-0 break-words text-ink-3">
      received by <span className="font-mono text-ink-2 text-small">{event.takenByStep}</span>
      {cameEarly(run, event) && ", which it preceded"}
    </span>
  );
}
