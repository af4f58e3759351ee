"use client";

import { Radio } from "lucide-react";
import type { ReactNode } from "react";
import { PermittedButton } from "@/components/domain/access/permitted-button";
import { showAct } from "@/components/domain/actions/use-open-act";
import { Remaining } from "@/components/parts/time/elapsed";
import { Instant } from "@/components/parts/time/instant";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import { Copyable } from "@/components/ui/text/copyable";
import type { Run } from "@/lib/api/contract/run";
import { type OpenWait, openWaits } from "./event-facts";
import { EventItem } from "./event-item";

/** What the run waits for, what came and who sent it. */
export function EventsTab({ run }: { run: Run }) {
  const waits = openWaits(run);
  const send = run.acts.find(({ act }) => act === "send_event");
  return (
    <div className="grid max-w-[1080px] gap-5 px-4 py-3.5 md:px-6">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <Button disabled={!send?.open} onClick={() => showAct({ act: "send_event" })}>
          Send an event…
        </Button>
        {send && !send.open && <span className="text-ink-3">{send.because}</span>}
      </div>
      {run.begunBy && <BegunBy begunBy={run.begunBy} />}
      {waits.length > 0 && (
        <Section title="Waiting for">
          {waits.map((wait) => (
            <Wait
              key={wait.step}
              wait={wait}
              workflow={run.workflow}
              onSend={() => showAct({ act: "send_event", event: wait.event })}
            />
          ))}
        </Section>
      )}
      {run.events.length > 0 && (
        <Section title="Received, latest first">
          {run.events.map((event) => (
            <EventItem key={`${event.name} ${event.id} ${event.key}`} run={run} event={event} />
          ))}
        </Section>
      )}
      {waits.length === 0 && run.events.length === 0 && !run.begunBy && <NoEvents />}
    </div>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="mb-1.5 font-semibold">{title}</h2>
      <ul aria-label={title} className="overflow-hidden rounded-lg border border-line-strong bg-panel">
        {children}
      </ul>
    </section>
  );
}

function BegunBy({ begunBy: { name, id, key } }: { begunBy: NonNullable<Run["begunBy"]> }) {
  return (
    <p className="max-w-prose break-words text-ink-2">
      The event <span className="font-mono text-ink text-small">{name}</span>
      {key && (
        <>
          {" "}
          for <span className="font-mono text-ink text-small">{key}</span>
        </>
      )}{" "}
      started this run; its payload is the run’s input. Event id: <Copyable text={id} what="the event's id" />
    </p>
  );
}

interface WaitProps {
  wait: OpenWait;
  workflow: string;
  onSend: () => void;
}

function Wait({ wait: { step, event, key, since, until }, workflow, onSend }: WaitProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-2 border-line border-t px-3 py-2.5 first:border-t-0">
      <div className="min-w-0 flex-1 basis-64">
        <p className="break-words">
          <span className="font-medium font-mono text-small">{event}</span>
          {key ? (
            <>
              {" "}
              to this run or for <span className="font-mono text-small">{key}</span>
            </>
          ) : (
            " to this run"
          )}
        </p>
        <p className="break-words text-ink-3">
          at <span className="font-mono text-small">{step}</span>, since <Instant at={since} />
          {until ? (
            <>
              , until <Instant at={until} /> (<Remaining until={until} />)
            </>
          ) : (
            ", without a limit"
          )}
        </p>
      </div>
      <PermittedButton
        action="run.send_event"
        workflow={workflow}
        size="small"
        aria-label={`Send ${event}`}
        onClick={onSend}
      >
        Send event…
      </PermittedButton>
    </li>
  );
}

function NoEvents() {
  return (
    <EmptyState icon={<Radio aria-hidden />} title="This run has no events">
      A workflow waits for one with <code className="font-mono text-small">ctx.waitForEvent</code>. An event that is
      sent earlier is kept.
    </EmptyState>
  );
}
