"use client";

import { Search } from "lucide-react";
import { useRouter } from "next/navigation";
import { useRef } from "react";
import { KeyboardKey } from "../ui/keyboard-key";
import { useHotkeys } from "./use-hotkeys";

/** From any page to the runs that carry this id or key. */
export function QuickFind() {
  const router = useRouter();
  const field = useRef<HTMLInputElement>(null);
  // Where the bar has no room for the field, the runs page has one.
  useHotkeys({ "/": () => (field.current?.offsetParent ? field.current.focus() : router.push("/runs")) });
  return (
    <search className="hidden w-64 lg:block">
      <form
        action={(form) => {
          const text = String(form.get("q") ?? "").trim();
          if (text) router.push(`/runs?q=${encodeURIComponent(text)}`);
        }}
        className="relative"
      >
        <Search
          aria-hidden
          className="-translate-y-1/2 pointer-events-none absolute top-1/2 left-2.5 size-3.5 text-ink-3"
        />
        <input
          ref={field}
          name="q"
          type="search"
          aria-label="Find a run by any id or business key"
          placeholder="Any id or business key"
          autoComplete="off"
          className="h-7 w-full rounded-md border border-line-strong bg-panel pr-8 pl-8 placeholder:text-ink-3 hover:border-field"
        />
        <KeyboardKey className="-translate-y-1/2 absolute top-1/2 right-2">/</KeyboardKey>
      </form>
    </search>
  );
}
