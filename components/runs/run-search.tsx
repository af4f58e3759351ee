"use client";

import { Search, X } from "lucide-react";
import { useRef } from "react";
import { useHotkeys } from "../shell/use-hotkeys";
import { KeyboardKey } from "../ui/keyboard-key";
import type { RunUrl } from "./use-run-url";

export function RunSearch({ url, setUrl, onEnter }: Pick<RunUrl, "url" | "setUrl"> & { onEnter: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  useHotkeys({ "/": () => field.current?.select() });
  const setQuery = (q: string) => setUrl({ q: q || null });
  return (
    <search className="relative min-w-0 flex-1 md:max-w-[480px]">
      <Search
        aria-hidden
        className="-translate-y-1/2 pointer-events-none absolute top-1/2 left-3 size-4 text-ink-3 md:left-2.5 md:size-3.5"
      />
      <input
        ref={field}
        type="search"
        aria-label="Find runs by any id or business key"
        placeholder="Paste any id, key or customer"
        autoComplete="off"
        spellCheck={false}
        value={url.q}
        onChange={(event) => setQuery(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") onEnter();
          if (event.key === "Escape") event.currentTarget.blur();
        }}
        className="h-11 w-full rounded-lg border border-field bg-panel pr-10 pl-9 text-touch placeholder:text-ink-3 md:h-[30px] md:rounded-[7px] md:pl-8 md:text-body [&::-webkit-search-cancel-button]:hidden"
      />
      {url.q === "" ? (
        <KeyboardKey className="-translate-y-1/2 absolute top-1/2 right-2 max-md:hidden">/</KeyboardKey>
      ) : (
        <button
          type="button"
          aria-label="Clear the search"
          onClick={() => {
            setQuery("");
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
