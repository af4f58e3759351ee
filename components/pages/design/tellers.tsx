"use client";

import { SearchX } from "lucide-react";
import { useState } from "react";
import { StepBar } from "@/components/domain/run/step-bar";
import { Elapsed } from "@/components/parts/time/elapsed";
import { Instant } from "@/components/parts/time/instant";
import { JsonView } from "@/components/parts/values/json-view";
import { Button } from "@/components/ui/button";
import { Callout, type Tone } from "@/components/ui/feedback/callout";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import { Loading, Skeleton } from "@/components/ui/feedback/skeleton";
import { Spinner } from "@/components/ui/feedback/spinner";
import { Disclosure } from "@/components/ui/layout/disclosure";
import { Fact, Facts } from "@/components/ui/layout/facts";
import { TabPanel, Tabs } from "@/components/ui/layout/tabs";
import { Copyable } from "@/components/ui/text/copyable";
import { CountBadge } from "@/components/ui/text/count-badge";
import { KeyboardKey } from "@/components/ui/text/keyboard-key";
import { MiddleText } from "@/components/ui/text/middle-text";
import { Specimen, Specimens } from "./specimen";

const TONES: Tone[] = ["red", "amber", "violet", "blue", "accent", "gray"];
const ID = "01a1fe96-c909-76bc-a437-5f4f047ef90e";
const AT = "2026-11-21T12:04:31.000Z";

export function Tellers() {
  const [tab, setTab] = useState<"steps" | "events">("steps");
  return (
    <>
      <Specimens title="What tells">
        <div className="grid gap-2 sm:grid-cols-2 lg:grid-cols-3">
          {TONES.map((tone) => (
            <Callout key={tone} tone={tone} title={`A callout, ${tone}`}>
              <p>What it is, and what to do about it.</p>
            </Callout>
          ))}
        </div>
        <Specimen name="Small things">
          <CountBadge text="31" label="need attention" tone="red" />
          <CountBadge text="7" />
          <CountBadge text="2" label="set" tone="accent" />
          <KeyboardKey>J</KeyboardKey>
          <Spinner />
          <Copyable text={ID} what="the id" />
          <span className="flex w-40">
            <MiddleText text={ID} className="font-mono text-small" />
          </span>
          <Instant at={AT} /> <Instant at={AT} as="relative" /> <Elapsed from={AT} to="2026-11-21T12:04:36.200Z" />
        </Specimen>
        <Specimen name="Steps of a run">
          <StepBar steps={STEPS} count={9} />
        </Specimen>
        <Specimen name="Facts">
          <Facts className="w-full max-w-md">
            <Fact name="Workflow">order-fulfilment version 2</Fact>
            <Fact name="Key">order-A-1042</Fact>
          </Facts>
        </Specimen>
        <Specimen name="A value">
          <div className="w-full">
            <JsonView what="the value" value={{ orderId: "A-1042", amountCents: 4_900, paid: true, note: null }} />
          </div>
        </Specimen>
        <Specimen name="More of it">
          <Disclosure summary="Stack">
            <p className="pl-4 text-ink-2">It is shown here.</p>
          </Disclosure>
        </Specimen>
      </Specimens>
      <Specimens title="Pages">
        <div className="flex h-28 flex-col rounded-lg border border-line">
          <Tabs
            label="Of a run"
            value={tab}
            onChange={setTab}
            tabs={[
              { value: "steps", text: "Steps", count: 4 },
              { value: "events", text: "Events" },
            ]}
          >
            <TabPanel value="steps">
              <p className="p-4">Its steps.</p>
            </TabPanel>
            <TabPanel value="events">
              <p className="p-4">Its events.</p>
            </TabPanel>
          </Tabs>
        </div>
        <div className="grid gap-4 md:grid-cols-2">
          <EmptyState
            icon={<SearchX aria-hidden />}
            title="No run fits these filters"
            action={<Button>Clear the filters</Button>}
            className="rounded-lg border border-line"
          >
            Widen the time window, or look for another key.
          </EmptyState>
          <Loading what="a specimen" className="grid content-start gap-3 rounded-lg border border-line p-4">
            <Skeleton className="h-4 w-24" />
            <Skeleton className="h-10 w-full" />
            <Skeleton className="h-10 w-full" />
          </Loading>
        </div>
      </Specimens>
    </>
  );
}

const STEPS = (["completed", "completed", "failed", "running", "waiting", "unknown", "skipped"] as const).map(
  (status, place) => ({ name: `step-${place}`, status, attempt: 1, maxAttempts: 1 }),
);
