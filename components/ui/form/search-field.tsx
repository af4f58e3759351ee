"use client";

import { Search, X } from "lucide-react";
import { type InputHTMLAttributes, type ReactNode, type RefObject, useRef } from "react";
import { classNames } from "@/lib/class-names";

interface SearchFieldProps
  extends Pick<InputHTMLAttributes<HTMLInputElement>, "placeholder" | "onKeyDown" | "className"> {
  /** For screen readers. */
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Shown while nothing is searched for. */
  hint?: ReactNode;
  inputRef?: RefObject<HTMLInputElement | null>;
}

export function SearchField({ label, value, onChange, hint, inputRef, className, ...input }: SearchFieldProps) {
  const own = useRef<HTMLInputElement>(null);
  const field = inputRef ?? own;
  return (
    <search className={classNames("relative", className)}>
      <Search
        aria-hidden
        className="-translate-y-1/2 pointer-events-none absolute top-1/2 left-3 size-4 text-ink-3 md:left-2.5 md:size-3.5"
      />
      <input
        ref={field}
        type="search"
        aria-label={label}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="h-11 w-full rounded-lg border border-field bg-panel pr-10 pl-9 text-touch placeholder:text-ink-3 md:h-[30px] md:rounded-[7px] md:pl-8 md:text-body [&::-webkit-search-cancel-button]:hidden"
        {...input}
      />
      {value === "" ? (
        hint
      ) : (
        <button
          type="button"
          aria-label="Clear the search"
          onClick={() => {
            onChange("");
            field.current?.focus();
          }}
          className="-translate-y-1/2 absolute top-1/2 right-1 grid size-9 place-items-center rounded text-ink-3 hover:text-ink md:size-6"
        >
          <X aria-hidden className="size-3.5" />
        </button>
      )}
    </search>
  );
}
