"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { RunLink } from "@/components/domain/run/run-link";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { StepKey } from "@/components/parts/values/step-key";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/feedback/spinner";
import { Segmented } from "@/components/ui/form/segmented";
import { Disclosure } from "@/components/ui/layout/disclosure";
import { Copyable } from "@/components/ui/text/copyable";
import type { Plan, PlanItemView } from "@/lib/api/contract/plans";
import { planItemsQuery } from "@/lib/api/hooks/queries";
import { formatCount, plural } from "@/lib/format";
import { usesFreshKeys } from "./plan-words";

type List = "all" | "included" | "left_out";

/** Each run of a plan: results kept, steps that run again, and effects that have happened, with key and reference. */
export function PlanItems({ plan }: { plan: Plan }) {
  const [open, setOpen] = useState(false);
  return (
    <Disclosure summary={`Run by run (${formatCount(plan.counts.runs)})`} onToggle={setOpen}>
      {open && <Items plan={plan} />}
    </Disclosure>
  );
}

function Items({ plan }: { plan: Plan }) {
  const [list, setList] = useState<List>("all");
  const query = useInfiniteQuery(planItemsQuery(plan.id, list));
  const { runs, included } = plan.counts;
  if (!query.data && query.error)
    return <QueryFailure what="the runs" error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <div className="grid gap-2 pt-2">
      {included < runs && (
        <Segmented<List>
          label="Which runs"
          value={list}
          onChange={setList}
          options={[
            { value: "all", text: "All" },
            { value: "included", text: `In (${formatCount(included)})` },
            { value: "left_out", text: `Excluded (${formatCount(runs - included)})` },
          ]}
        />
      )}
      {query.isPending && (
        <p className="flex items-center gap-2 text-ink-3">
          <Spinner /> Loading
        </p>
      )}
      <ul aria-label="Runs of the plan" className="overflow-hidden rounded-lg border border-line-strong empty:hidden">
        {query.data?.map((item) => (
          <Item key={item.position} item={item} freshKeys={usesFreshKeys(plan)} />
        ))}
      </ul>
      {query.hasNextPage && (
        <Button
          size="small"
          className="justify-self-start"
          disabled={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {query.isFetchingNextPage && <Spinner />}
          More
        </Button>
      )}
    </div>
  );
}

function Item({ item, freshKeys }: { item: PlanItemView; freshKeys: boolean }) {
  const { runId, named, workflow, included, because } = item;
  return (
    <li className="grid gap-0.5 border-line border-b px-3 py-2 last:border-b-0">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <RunLink runId={runId} names={named} target="_blank" />
        <span className="text-ink-3 text-small">{workflow}</span>
        {!included && <span className="ml-auto rounded bg-gray-soft px-1.5 text-ink-2 text-small">left out</span>}
      </p>
      {because && <p className="text-ink-2">{because}</p>}
      <ItemFacts item={item} freshKeys={freshKeys} />
    </li>
  );
}

/** Results kept, steps that run again, and effects that have happened. */
export function ItemFacts({ item, freshKeys }: { item: PlanItemView; freshKeys: boolean }) {
  const { included, keeps, again, owed, uncompensated, questions, stay, repeats } = item;
  const happened = stay.count + repeats.count;
  return (
    <>
      {included && <Names text="Will rerun" names={again} />}
      {included && <Names text="Kept" names={keeps} />}
      {included && <Names text="Can be compensated" names={owed} />}
      {included && (
        <Names
          text="Not compensated"
          names={uncompensated}
          note={freshKeys ? "what happened so far stays" : "unless it completes again"}
        />
      )}
      {included && <Names text="Asked" names={questions} />}
      {happened > 0 && (
        <Disclosure summary={`${plural(happened, "effect")} completed`}>
          <ul className="grid gap-1.5 pb-1 pl-4">
            <Effects effects={repeats} fate={freshKeys ? "again, with a fresh key" : "again, with the same key"} />
            <Effects effects={stay} fate="stays" />
          </ul>
        </Disclosure>
      )}
    </>
  );
}

interface NamesProps {
  text: string;
  names: PlanItemView["keeps"];
  note?: string;
}

function Names({ text, names: { first, count }, note }: NamesProps) {
  if (count === 0) return null;
  const rest = count - first.length;
  return (
    <p className="flex gap-2 text-ink-2 text-small">
      <span className="w-32 shrink-0 text-ink-3">{text}</span>
      <span className="min-w-0 break-words">
        <span className="font-mono">{first.join(", ")}</span>
        {rest > 0 && ` and ${plural(rest, "more step")}`}
        {note && `: ${note}`}
      </span>
    </p>
  );
}

function Effects({ effects: { first, count }, fate }: { effects: PlanItemView["stay"]; fate: string }) {
  return (
    <>
      {first.map(({ step, key, reference }) => (
        <li key={step} className="min-w-0 text-small">
          <p className="break-words">
            <span className="font-mono">{step}</span> <span className="text-ink-3">{fate}</span>
          </p>
          <p className="flex flex-wrap gap-x-3">
            <StepKey text={key} />
            {reference && <Copyable text={reference} what="the reference" />}
          </p>
        </li>
      ))}
      {count > first.length && (
        <li className="text-ink-3 text-small">and {plural(count - first.length, "more effect")}</li>
      )}
    </>
  );
}
