"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { ScrollText, SearchX } from "lucide-react";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { RunLink } from "@/components/domain/run/run-link";
import { stepHref } from "@/components/domain/run/step-href";
import { FilterCard } from "@/components/parts/page/filter-card";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { TopBar } from "@/components/parts/page/top-bar";
import { Instant } from "@/components/parts/time/instant";
import { InstantField } from "@/components/parts/time/instant-field";
import { JsonView } from "@/components/parts/values/json-view";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/feedback/callout";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import { Loading, Skeleton } from "@/components/ui/feedback/skeleton";
import { Checkbox } from "@/components/ui/form/checkbox";
import { NativeSelect } from "@/components/ui/form/native-select";
import { SearchField } from "@/components/ui/form/search-field";
import { TextField } from "@/components/ui/form/text-field";
import { useDebounced } from "@/components/ui/hooks/use-debounced";
import { Disclosure } from "@/components/ui/layout/disclosure";
import type { FoundLine, LogFilter } from "@/lib/api/contract/log";
import { logSearchQuery } from "@/lib/api/hooks/queries";
import { LOG_LEVELS } from "@/lib/engine/runs/log";
import { type LogUrl, logUrl, toLogFilter } from "./log-url";

const TYPING_MS = 300;

/** The log lines of all runs, newest first. */
export function LogsPage() {
  const [url, setUrl] = useQueryStates(logUrl, { history: "replace" });
  const q = useDebounced(url.q, TYPING_MS);
  const step = useDebounced(url.step, TYPING_MS);
  const workflow = namesIn(useDebounced(url.workflow.join(","), TYPING_MS));
  return (
    <>
      <TopBar title="Logs" />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls and may hold nothing to focus is scrolled by its keys */}
      <div tabIndex={0} data-ring="inside" className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto grid max-w-[1240px] grid-cols-[minmax(0,1fr)] gap-3.5 p-4 md:px-6 md:py-5">
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2 print:hidden">
            <SearchField
              className="block min-w-0 flex-1"
              label="Search log lines"
              placeholder='Words, ids, or "a phrase"'
              value={url.q}
              onChange={(text) => void setUrl({ q: text })}
            />
            <Checkbox label="Follow" checked={url.follow} onChange={(follow) => void setUrl({ follow })} />
          </div>
          <Filters url={url} setUrl={setUrl} />
          <Found filter={toLogFilter({ ...url, q, step, workflow })} follows={url.follow} />
        </div>
      </div>
    </>
  );
}

const LEVEL_WORDS = { debug: "Any", info: "Info and above", warn: "Warnings and errors", error: "Errors" } as const;

interface FiltersProps {
  url: LogUrl;
  setUrl: (change: Partial<{ [Key in keyof LogUrl]: LogUrl[Key] | null }>) => unknown;
}

function Filters({ url, setUrl }: FiltersProps) {
  const set = [url.level, url.workflow.length, url.step, url.after, url.before];
  return (
    <FilterCard set={set.filter(Boolean).length} className="md:grid-cols-3 min-[1200px]:grid-cols-5">
      <NativeSelect
        label="Level"
        options={LOG_LEVELS.map((level) => ({ value: level === "debug" ? "" : level, text: LEVEL_WORDS[level] }))}
        value={url.level ?? ""}
        onChange={({ target }) => setUrl({ level: LOG_LEVELS.find((level) => level === target.value) ?? null })}
      />
      <WorkflowsField names={url.workflow} onChange={(workflow) => setUrl({ workflow })} />
      <TextField label="Step" mono value={url.step} onChange={({ target }) => setUrl({ step: target.value })} />
      <InstantField label="From" value={url.after} onChange={(after) => setUrl({ after })} />
      <InstantField label="Until" value={url.before} onChange={(before) => setUrl({ before })} />
    </FilterCard>
  );
}

const namesIn = (text: string) =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);

/** Keeps what is typed, which says more than the names in it: the comma behind the last of them. */
function WorkflowsField({ names, onChange }: { names: string[]; onChange: (names: string[]) => void }) {
  const [typed, setTyped] = useState("");
  const named = names.join(",");
  return (
    <TextField
      label="Workflow"
      value={namesIn(typed).join(",") === named ? typed : named}
      onChange={({ target }) => {
        setTyped(target.value);
        onChange(namesIn(target.value));
      }}
    />
  );
}

function Found({ filter, follows }: { filter: LogFilter; follows: boolean }) {
  const query = useInfiniteQuery(logSearchQuery(filter, follows));
  if (!query.data && query.error)
    return <QueryFailure what="the log lines" error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <LinesSkeleton />;
  const { lines, lookedBackTo, leavesOutMasked } = query.data;
  return (
    <>
      {leavesOutMasked && (
        <Callout tone="amber">
          Lines of workflows that mask fields are not searched by their words: you may not see masked values. Search
          them on the page of their run.
        </Callout>
      )}
      {lines.length > 0 && (
        <ol aria-label="Log lines" className="min-w-0">
          {lines.map((line) => (
            <Line key={line.id} line={line} />
          ))}
        </ol>
      )}
      {lines.length === 0 && lookedBackTo === null && <NoLines filters={Object.keys(filter).length > 0} />}
      {query.hasNextPage && (
        <div className="flex flex-wrap items-center gap-3 print:hidden">
          <Button disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {lookedBackTo === null ? "Older lines" : "Search further back"}
          </Button>
          {lookedBackTo !== null && (
            <span className="text-ink-3 text-small">
              Searched back to <Instant at={lookedBackTo} as="moment" />. A rarer word, a longer one, or a time range
              reaches further at once.
            </span>
          )}
        </div>
      )}
    </>
  );
}

const LEVEL_CLASSES = { debug: "text-ink-3", info: "text-ink-3", warn: "text-amber", error: "text-red" } as const;

/** Its attempt; what was logged between steps, or by a compensation, is found in the run's log. */
function hrefOf({ runId, id, during, step, attempt }: FoundLine): string {
  if (during !== "body" || step === null) return `/runs/${runId}?tab=logs&line=${encodeURIComponent(id)}`;
  const which = attempt === null ? "" : `&attempt=${attempt}`;
  return `${stepHref(runId, step)}${which}`;
}

function Line({ line }: { line: FoundLine }) {
  const { runId, named, step, attempt, workflow } = line;
  const attempts = attempt !== null && attempt > 1 ? `, attempt ${attempt}` : "";
  return (
    <li className="grid gap-x-4 [contain-intrinsic-size:auto_52px] [content-visibility:auto] border-line border-t py-1.5 first:border-t-0 lg:grid-cols-[132px_52px_minmax(0,240px)_minmax(0,1fr)]">
      <span className="flex gap-3 text-small leading-5 lg:contents">
        <Instant at={line.at} as="moment" className="text-ink-3" />
        <span className={LEVEL_CLASSES[line.level]}>{line.level}</span>
      </span>
      <span className="min-w-0 text-small leading-5">
        <span className="block truncate">
          <RunLink runId={runId} names={named} href={hrefOf(line)} />
        </span>
        <span className="block truncate text-ink-3">
          {workflow} · {step === null ? "between steps" : `${step}${attempts}`}
        </span>
      </span>
      <div className="min-w-0">
        <p className="whitespace-pre-wrap break-words font-mono text-small leading-5">{line.message}</p>
        {line.data !== null && (
          <Disclosure summary="Data">
            <JsonView value={line.data} what="the data of the line" className="mt-1 mb-1" />
          </Disclosure>
        )}
      </div>
    </li>
  );
}

const NoLines = ({ filters }: { filters: boolean }) =>
  filters ? (
    <EmptyState icon={<SearchX aria-hidden />} title="No matching lines">
      A line has all of the words, each from its beginning. Case and punctuation do not matter.
    </EmptyState>
  ) : (
    <EmptyState icon={<ScrollText aria-hidden />} title="No log lines">
      A workflow logs with <code className="font-mono text-small">ctx.log</code> between its steps, and with the{" "}
      <code className="font-mono text-small">log</code> that each step body receives.
    </EmptyState>
  );

function LinesSkeleton() {
  return (
    <Loading what="the log lines" className="mt-2 grid gap-3">
      <Skeleton className="h-4 w-80 max-w-full" />
      <Skeleton className="h-4 w-96 max-w-full" />
      <Skeleton className="h-4 w-64 max-w-full" />
    </Loading>
  );
}
