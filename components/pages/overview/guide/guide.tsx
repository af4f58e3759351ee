"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Check } from "lucide-react";
import Link from "next/link";
import { useFaults } from "@/components/domain/sandbox/use-sandbox";
import { Button } from "@/components/ui/button";
import { useStored } from "@/components/ui/hooks/use-stored";
import type { OverviewResponse } from "@/lib/api/contract/responses";
import { runsQuery } from "@/lib/api/hooks/queries";
import { classNames } from "@/lib/class-names";
import { plural } from "@/lib/format";
import { type GuideStep, guideSteps } from "./guide-steps";

const COMPLETED = { status: ["completed" as const] };

/** A guide through the demo's outage. It can be hidden for good. */
export function Guide({ overview }: { overview: OverviewResponse }) {
  const [hidden, setHidden] = useStored("handrail.guide");
  if (hidden !== null) return null;
  return <GuideCard overview={overview} onHide={() => setHidden("hidden")} />;
}

function GuideCard({ overview, onHide }: { overview: OverviewResponse; onHide: () => void }) {
  const faults = useFaults().data;
  const completed = useInfiniteQuery(runsQuery(COMPLETED)).data?.runs ?? [];
  const [stored, setStored] = useStored("handrail.guide.visited");
  const visited = new Set(stored?.split(",").filter(Boolean));
  const steps = guideSteps({ overview, faults, completed, visited });
  const next = steps.find(({ done }) => !done);
  const left = steps.filter(({ done }) => !done).length;
  return (
    <section aria-labelledby="guide-title" className="rounded-[10px] bg-accent-soft px-4 pt-2.5 pb-3.5">
      <header className="flex items-center justify-between gap-3">
        <h2 id="guide-title" className="font-semibold">
          Your first outage{" "}
          <span className="font-normal text-ink-2">
            {left === 0 ? (
              <AllDone failed={overview.byAttention.failed} />
            ) : (
              `· ${steps.length - left} of ${steps.length}`
            )}
          </span>
        </h2>
        <Button variant="ghost" size="small" onClick={onHide}>
          {left === 0 ? "Hide permanently" : "Hide"}
        </Button>
      </header>
      <ol className="mt-1 grid gap-x-6 gap-y-1 sm:grid-cols-2 lg:grid-cols-3">
        {steps.map((step, index) => (
          <StepLine
            key={step.id}
            step={step}
            place={index + 1}
            next={step === next}
            onVisit={() => setStored([...visited.add(step.id)].join(","))}
          />
        ))}
      </ol>
    </section>
  );
}

/** The rest of the outage is repaired the same way. */
function AllDone({ failed }: { failed: number }) {
  if (failed === 0) return "is over. Nothing was lost.";
  return (
    <>
      · all done. Left to rerun the same way:{" "}
      <Link href="/runs?attention=failed" className="rounded text-accent hover:underline">
        {plural(failed, "run")}
      </Link>
    </>
  );
}

interface StepLineProps {
  step: GuideStep;
  place: number;
  next: boolean;
  onVisit: () => void;
}

function StepLine({ step, place, next, onVisit }: StepLineProps) {
  return (
    <li className="flex gap-2.5 py-1">
      <span
        className={classNames(
          "grid size-5 shrink-0 max-md:mt-3 place-items-center rounded-full font-semibold text-micro",
          step.done ? "text-accent" : next ? "bg-accent text-on-accent" : "border border-accent text-accent",
        )}
      >
        {step.done ? <Check aria-hidden className="size-3.5" strokeWidth={2.6} /> : place}
      </span>
      <div className="min-w-0">
        <Link
          href={step.href}
          onClick={onVisit}
          className={classNames(
            "rounded max-md:block max-md:py-3 hover:underline",
            step.done ? "text-ink-3" : "font-medium text-ink",
          )}
        >
          {step.text}
          {step.done && <span className="sr-only"> (done)</span>}
        </Link>
        {next && <p className="text-ink-2 text-small max-md:-mt-2">{step.hint}</p>}
      </div>
    </li>
  );
}
