"use client";

import { useRef } from "react";
import { useHotkeys } from "../shell/use-hotkeys";
import { KeyboardKey } from "../ui/keyboard-key";
import { SearchField } from "../ui/search-field";
import type { RunUrl } from "./use-run-url";

export function RunSearch({ url, setUrl, onEnter }: Pick<RunUrl, "url" | "setUrl"> & { onEnter: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  useHotkeys({ "/": () => field.current?.select() });
  return (
    <SearchField
      className="min-w-0 flex-1 md:max-w-[480px]"
      label="Find runs by any id or business key"
      placeholder="Any id, key or customer"
      value={url.q}
      onChange={(q) => setUrl({ q: q || null })}
      onKeyDown={(event) => {
        if (event.key === "Enter") onEnter();
        if (event.key === "Escape") event.currentTarget.blur();
      }}
      hint={<KeyboardKey className="-translate-y-1/2 absolute top-1/2 right-2 max-md:hidden">/</KeyboardKey>}
      inputRef={field}
    />
  );
}
