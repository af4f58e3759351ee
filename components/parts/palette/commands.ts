"use client";

import type { LucideIcon } from "lucide-react";
import { useEffect, useId, useSyncExternalStore } from "react";
import type { HotkeyName } from "@/components/parts/keys/hotkeys";
import type { Look } from "@/components/parts/status/look";

/** One line of the palette. */
export interface Command {
  /** Unique among all that there are. */
  id: string;
  label: string;
  icon?: LucideIcon;
  /** Shown in the icon's place, with its word. */
  look?: Look;
  /** What the command will do, or its status. */
  note?: string | undefined;
  /** Why it is closed now; null or absent: it is open. */
  closed?: string | null;
  /** Other words that find it. */
  words?: string;
  hotkey?: HotkeyName;
  run: () => void;
}

export interface CommandGroup {
  title: string;
  commands: readonly Command[];
}

const groups = new Map<string, CommandGroup>();
let published: readonly CommandGroup[] = [];
const watchers = new Set<() => void>();

function tell(): void {
  published = [...groups.values()];
  for (const watcher of watchers) watcher();
}

/** The actions on the current thing. The palette offers them while the component is mounted. */
export function useCommands(title: string, commands: readonly Command[]): void {
  const id = useId();
  useEffect(() => {
    groups.set(id, { title, commands });
    tell();
  });
  useEffect(
    () => () => {
      groups.delete(id);
      tell();
    },
    [id],
  );
}

/** What the components of this page offer. */
export const usePageCommands = (): readonly CommandGroup[] =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => published,
    () => NONE,
  );

const NONE: readonly CommandGroup[] = [];

/** Those whose words begin with the words that were typed, each of them. */
export function matching(commands: readonly Command[], typed: string): Command[] {
  const typedWords = wordsOf(typed);
  const meant = typedWords.filter((word) => !FILLERS.has(word));
  const asked = meant.length > 0 ? meant : typedWords;
  return commands.filter(({ label, words = "", hotkey }) => {
    const known = [...wordsOf(`${label} ${words}`), hotkey?.replace(" ", "") ?? ""];
    return asked.every((one) => known.some((word) => word.startsWith(one)));
  });
}

/** Words of a sentence that say nothing of what is looked for. */
const FILLERS = new Set(["a", "an", "the", "of", "my", "its", "this"]);

const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .split(/[\s·,…]+/)
    .filter((word) => word !== "");
