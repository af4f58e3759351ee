import { useEffect, useRef } from "react";
import { classNames } from "@/lib/class-names";
import type { Suggestion } from "./suggest";

interface SuggestionListProps {
  id: string;
  suggestions: Suggestion[];
  /** Its place; -1: none. */
  active: number;
  onHover: (index: number) => void;
  onChoose: (suggestion: Suggestion) => void;
}

/** The focus stays in the field: it says which option is meant. */
export function SuggestionList({ id, suggestions, active, onHover, onChoose }: SuggestionListProps) {
  return (
    <div
      role="listbox"
      id={id}
      aria-label="Suggestions"
      className="absolute inset-x-0 top-full z-30 mt-1.5 max-h-[min(380px,60dvh)] overflow-y-auto rounded-lg border border-line-strong bg-panel p-1 shadow-float"
    >
      {suggestions.map((suggestion, index) => (
        <Option
          key={suggestion.text}
          id={optionId(id, index)}
          suggestion={suggestion}
          active={index === active}
          onHover={() => onHover(index)}
          onChoose={() => onChoose(suggestion)}
        />
      ))}
    </div>
  );
}

export const optionId = (id: string, index: number) => `${id}-${index}`;

interface OptionProps {
  id: string;
  suggestion: Suggestion;
  active: boolean;
  onHover: () => void;
  onChoose: () => void;
}

function Option({ id, suggestion: { text, note }, active, onHover, onChoose }: OptionProps) {
  const own = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (active) own.current?.scrollIntoView({ block: "nearest" });
  }, [active]);
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus and names the option that is meant.
    <div
      ref={own}
      role="option"
      id={id}
      aria-selected={active}
      onPointerMove={onHover}
      // Before the field loses its focus, and with it the list.
      onPointerDown={(event) => event.preventDefault()}
      onClick={onChoose}
      onKeyDown={undefined}
      className={classNames(
        "flex cursor-pointer items-baseline gap-3 rounded-md px-2 py-1.5 max-md:min-h-11 max-md:items-center",
        active && "bg-gray-soft",
      )}
    >
      <span className="min-w-0 truncate font-mono text-small">{text}</span>
      {note && <span className="ml-auto shrink-0 text-ink-3 text-small">{note}</span>}
    </div>
  );
}
