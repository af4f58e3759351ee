"use client";

import { Search } from "lucide-react";
import { useMac } from "@/components/ui/hooks/use-mac";
import { KeyboardKey } from "@/components/ui/text/keyboard-key";
import { useOpenWindow } from "./open-window";

/** To anything from anywhere. Where the bar has room it says so, and elsewhere it is a glass. */
export function PaletteButton() {
  const open = useOpenWindow();
  const mac = useMac();
  return (
    <button
      type="button"
      aria-label="Search or run a command"
      aria-keyshortcuts="Meta+K Control+K"
      onClick={() => open("palette")}
      className="flex size-11 shrink-0 items-center justify-center gap-2 rounded-md text-ink-3 hover:text-ink md:size-7 lg:h-7 lg:w-60 lg:justify-start lg:border xl:w-72 lg:border-line-strong lg:bg-panel lg:px-2.5 lg:hover:border-field print:hidden"
    >
      <Search aria-hidden className="size-4 lg:size-3.5" />
      <span className="truncate max-lg:hidden">Search or run a command…</span>
      <KeyboardKey className="ml-auto whitespace-nowrap max-lg:hidden">{mac ? "⌘ K" : "Ctrl K"}</KeyboardKey>
    </button>
  );
}
