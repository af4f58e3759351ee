"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { ReceiptText, SearchX } from "lucide-react";
import { useQueryStates } from "nuqs";
import { VERDICT_LOOKS } from "@/components/domain/effects/effect-looks";
import { EffectTable } from "@/components/domain/effects/effect-table";
import { type EffectUrlFilter, effectUrl, toEffectFilter } from "@/components/domain/effects/effect-url";
import { EffectsSkeleton } from "@/components/domain/effects/effects-tab";
import { FilterCard } from "@/components/parts/page/filter-card";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { TopBar } from "@/components/parts/page/top-bar";
import { InstantField } from "@/components/parts/time/instant-field";
import { Button } from "@/components/ui/button";
import { ExportButtons } from "@/components/ui/export-buttons";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import { NativeSelect } from "@/components/ui/form/native-select";
import { TextField } from "@/components/ui/form/text-field";
import { useDebounced } from "@/components/ui/hooks/use-debounced";
import { hrefOf } from "@/lib/api/client/browser";
import type { EffectFilter } from "@/lib/api/contract/effects";
import { effectsQuery } from "@/lib/api/hooks/queries";
import { EFFECT_VERDICTS } from "@/lib/engine/steps/effect-verdict";

const TYPING_MS = 300;

/** The effects of many runs, for a time range, a step or a verdict. */
export function EffectsPage() {
  const [url, setUrl] = useQueryStates(effectUrl, { history: "replace" });
  const q = useDebounced(url.q, TYPING_MS);
  const step = useDebounced(url.step, TYPING_MS);
  const filter = toEffectFilter({ ...url, q, step });
  return (
    <>
      <TopBar title="Effects" />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls and may hold nothing to focus is scrolled by its keys */}
      <div tabIndex={0} data-ring="inside" className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto grid max-w-[1240px] gap-3.5 p-4 md:px-6 md:py-5">
          <EffectFilters url={url} setUrl={setUrl} />
          <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
            <p className="text-ink-2">Every external effect on record. Providers are not queried.</p>
            <ExportButtons href={(format) => hrefOf("/v1/effects/export", { ...filter, format })} />
          </div>
          <Found filter={filter} onClear={() => void setUrl(null)} />
        </div>
      </div>
    </>
  );
}

function NoEffects({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (!filtered)
    return (
      <EmptyState icon={<ReceiptText aria-hidden />} title="No effects yet">
        Every charge, mail and row that a step makes is listed here, with its key and its evidence.
      </EmptyState>
    );
  return (
    <EmptyState
      icon={<SearchX aria-hidden />}
      title="No effects match these filters"
      action={<Button onClick={onClear}>Clear the filters</Button>}
    >
      A step is in a time range if one of its attempts was in progress then.
    </EmptyState>
  );
}

function Found({ filter, onClear }: { filter: EffectFilter; onClear: () => void }) {
  const query = useInfiniteQuery(effectsQuery(filter));
  if (!query.data && query.error)
    return <QueryFailure what="the effects" error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <EffectsSkeleton />;
  const { effects } = query.data;
  return (
    <>
      {effects.length > 0 && <EffectTable effects={effects} withRun />}
      {effects.length === 0 && !query.hasNextPage && (
        <NoEffects filtered={Object.keys(filter).length > 0} onClear={onClear} />
      )}
      {query.hasNextPage && (
        <div className="flex flex-wrap items-center gap-3 print:hidden">
          <Button disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Check older runs
          </Button>
          <span className="text-ink-3 text-small">
            {effects.length === 0 ? "None among the newest runs. " : ""}The export covers all of them.
          </span>
        </div>
      )}
    </>
  );
}

interface EffectFiltersProps {
  url: EffectUrlFilter;
  setUrl: (change: Partial<{ [Key in keyof EffectUrlFilter]: EffectUrlFilter[Key] | null }>) => unknown;
}

const VERDICT_OPTIONS = [
  { value: "", text: "Any" },
  ...EFFECT_VERDICTS.map((value) => ({ value, text: VERDICT_LOOKS[value].word })),
];

/** Each is one field; filters from the runs list (status, attention) stay until they are cleared there. */
function EffectFilters({ url, setUrl }: EffectFiltersProps) {
  const set = [url.workflow.length, url.step, url.q, url.verdict.length, url.since, url.until];
  return (
    <FilterCard set={set.filter(Boolean).length} className="md:grid-cols-3 min-[1440px]:grid-cols-6">
      <TextField
        label="Workflow"
        value={url.workflow.join(",")}
        onChange={({ target }) => setUrl({ workflow: target.value.split(",").filter(Boolean) })}
      />
      <TextField label="Step" mono value={url.step} onChange={({ target }) => setUrl({ step: target.value })} />
      <TextField label="Run, key or tag" mono value={url.q} onChange={({ target }) => setUrl({ q: target.value })} />
      <NativeSelect
        label="Status"
        options={VERDICT_OPTIONS}
        value={url.verdict[0] ?? ""}
        onChange={({ target }) => setUrl({ verdict: EFFECT_VERDICTS.filter((verdict) => verdict === target.value) })}
      />
      <InstantField label="From" value={url.since} onChange={(since) => setUrl({ since })} />
      <InstantField label="Until" value={url.until} onChange={(until) => setUrl({ until })} />
    </FilterCard>
  );
}
