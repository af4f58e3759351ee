"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Search, X } from "lucide-react";
import { type KeyboardEvent, useId, useMemo, useRef, useState } from "react";
import { useHotkeys } from "@/components/parts/keys/use-hotkeys";
import { Instant } from "@/components/parts/time/instant";
import { useTimes } from "@/components/parts/time/viewer-formats";
import { KeyboardKey } from "@/components/ui/text/keyboard-key";
import type { RunListItem } from "@/lib/api/contract/run";
import { problemsQuery, workflowsQuery } from "@/lib/api/hooks/queries";
import { classNames } from "@/lib/class-names";
import { isQuestionField } from "@/lib/engine/runs/run-question";
import { printTerm, type Term } from "@/lib/filters/language";
import type { RunUrl } from "../address/use-run-url";
import { namesIn, type Suggestion, suggestionsFor } from "./suggest";
import { optionId, SuggestionList } from "./suggestion-list";
import { type Draft, useDraft } from "./use-draft";

interface FilterBarProps extends Pick<RunUrl, "url" | "setUrl" | "clear"> {
  runs: readonly RunListItem[];
  /** Pressed on a text, which is looked for. */
  onEnter: (text: string) => void;
}

/** The filter as text: terms as chips, then the field for the next one, or for any title, id or key. */
export function FilterBar({ url, setUrl, clear, runs, onEnter }: FilterBarProps) {
  const field = useRef<HTMLInputElement>(null);
  const draft = useDraft({ url, setUrl });
  const list = useSuggestions(draft, runs);
  const faultId = useId();
  useHotkeys({ "/": () => field.current?.focus() });
  const empty = draft.draft === "" && draft.terms.length === 0;
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing || list.onKey(event)) return;
    if (event.key === "Backspace" && draft.draft === "") removeLast(draft);
    else if (event.key === "Enter") {
      const { terms, faults, text } = draft.end();
      if (terms.length === 0 && faults.length === 0 && text !== "") onEnter(text);
    } else if (event.key === "Escape") event.currentTarget.blur();
  };
  return (
    <search className="relative min-w-0 flex-1 basis-80 md:max-w-[720px]">
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: a click beside the field is one into it. */}
      <div
        onClick={() => field.current?.focus()}
        className="flex min-h-11 short:min-h-9 cursor-text flex-wrap items-center gap-1 rounded-lg border border-field bg-panel py-0.5 pr-9 pl-2.5 has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-accent has-[input:focus-visible]:outline-offset-2 md:min-h-[30px] md:rounded-[7px] md:pl-2"
      >
        <Search aria-hidden className="mr-0.5 size-4 shrink-0 text-ink-3 md:size-3.5" />
        {draft.terms.length > 0 && (
          <ul aria-label="Filters" className="contents">
            {draft.terms.map((term) => (
              <FilterChip key={printTerm(term)} term={term} onRemove={() => draft.remove(term)} />
            ))}
          </ul>
        )}
        <input
          ref={field}
          role="combobox"
          aria-label="Filter runs, or find one by any title, id or business key"
          aria-expanded={list.isOpen}
          aria-controls={list.isOpen ? list.id : undefined}
          aria-autocomplete="list"
          aria-activedescendant={list.isOpen && list.active >= 0 ? optionId(list.id, list.active) : undefined}
          aria-invalid={draft.faults.length > 0 || undefined}
          aria-describedby={draft.faults.length > 0 ? faultId : undefined}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="search"
          placeholder={empty ? "Any id or key, or a filter such as status:failed" : undefined}
          value={draft.draft}
          onChange={(event) => {
            list.open();
            draft.write(event.target.value, { ended: isPaste(event.nativeEvent) });
          }}
          onKeyDown={onKeyDown}
          onFocus={list.open}
          onClick={list.open}
          onBlur={list.close}
          className="h-9 min-w-24 flex-1 bg-transparent text-touch outline-none placeholder:text-ink-3 md:h-[22px] md:text-body"
        />
        <End
          empty={empty}
          onClear={() => {
            draft.write("");
            void clear();
            field.current?.focus();
          }}
        />
      </div>
      {list.isOpen && <SuggestionList {...list} onHover={list.setActive} onChoose={list.choose} />}
      <p
        id={faultId}
        role="status"
        className={classNames("text-red text-small", draft.faults.length > 0 ? "px-2.5 pt-1" : "sr-only")}
      >
        {draft.faults.map(({ says }) => says).join(" ")}
      </p>
    </search>
  );
}

const End = ({ empty, onClear }: { empty: boolean; onClear: () => void }) =>
  empty ? (
    <KeyboardKey className="absolute top-1.5 right-2 max-md:hidden">/</KeyboardKey>
  ) : (
    <button
      type="button"
      aria-label="Clear the filter"
      onClick={onClear}
      className="absolute top-0.5 right-0.5 grid size-10 place-items-center rounded text-ink-3 hover:text-ink md:size-[26px]"
    >
      <X aria-hidden className="size-3.5" />
    </button>
  );

/** What was pasted is written to its end. */
const isPaste = (event: Event) => "inputType" in event && event.inputType === "insertFromPaste";

function removeLast({ terms, remove }: Draft) {
  const last = terms.at(-1);
  if (last) remove(last);
}

/** The list under the field: open while the user types something that may become a term. */
function useSuggestions(draft: Draft, runs: readonly RunListItem[]) {
  const id = useId();
  const [wanted, setWanted] = useState(false);
  const [active, setActive] = useState(-1);
  const known = useKnownNames(runs, wanted);
  const { zone } = useTimes();
  const suggestions = wanted ? suggestionsFor(draft.word, known, zone) : [];
  const isOpen = suggestions.length > 0;
  const at = isOpen ? Math.min(active, suggestions.length - 1) : -1;
  const close = () => {
    setWanted(false);
    setActive(-1);
  };
  const open = () => {
    setWanted(true);
    setActive(-1);
  };
  const choose = (suggestion: Suggestion) => {
    if ("term" in suggestion) draft.complete(suggestion.term);
    else draft.begin(suggestion.begins);
    open();
  };
  /** Whether the key was the list's. */
  const onKey = (event: KeyboardEvent): boolean => {
    const chosen = suggestions[at];
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (!isOpen) open();
      // From the field to the first or the last one, and on over the ends.
      const places = suggestions.length + 1;
      setActive(((at + 1 + (event.key === "ArrowDown" ? 1 : places - 1)) % places) - 1);
    } else if (event.key === "Enter" && chosen) choose(chosen);
    else if (event.key === "Escape" && isOpen) close();
    else return false;
    event.preventDefault();
    return true;
  };
  return { id, suggestions, isOpen, active: at, setActive, open, close, choose, onKey };
}

/** Names to choose from: registered, failing, and of the runs on the page. Requested once the user types. */
function useKnownNames(runs: readonly RunListItem[], wanted: boolean) {
  const workflows = useQuery({ ...workflowsQuery(), enabled: wanted }).data?.workflows;
  const problems = useInfiniteQuery({ ...problemsQuery({}), enabled: wanted }).data?.problems;
  return useMemo(
    () =>
      namesIn({
        workflows: (workflows ?? []).map(({ name }) => name),
        runs,
        problems: problems ?? [],
      }),
    [workflows, problems, runs],
  );
}

/** One term of the filter, to be taken out by a press. */
function FilterChip({ term, onRemove }: { term: Term; onRemove: () => void }) {
  return (
    <li className="inline-flex max-w-full items-center rounded bg-gray-soft text-small">
      <span className="min-w-0 truncate py-px pl-1.5">
        <span className={term.not ? "text-red" : "text-ink-3"}>
          {term.not && "not "}
          {term.field}
        </span>{" "}
        <TermValue term={term} />
      </span>
      <button
        type="button"
        aria-label={`Remove ${printTerm(term)}`}
        onClick={onRemove}
        className="grid size-9 shrink-0 place-items-center rounded text-ink-3 hover:text-ink md:size-6"
      >
        <X aria-hidden className="size-3" />
      </button>
    </li>
  );
}

function TermValue({ term: { field, value } }: { term: Term }) {
  if (isQuestionField(field)) return <span className="font-medium">{value}</span>;
  const isTime = field === "since" || field === "until";
  if (isTime && value.includes("T")) return <Instant at={value} className="font-medium" />;
  return <span className="font-medium">{isTime ? `${value} ago` : value.replaceAll("_", " ")}</span>;
}
