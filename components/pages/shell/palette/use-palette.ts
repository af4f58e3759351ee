"use client";

import { useQuery } from "@tanstack/react-query";
import { ListFilter } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { type CommandGroup, matching, usePageCommands } from "@/components/parts/palette/commands";
import { useDebounced } from "@/components/ui/hooks/use-debounced";
import { searchQuery } from "@/lib/api/hooks/queries";
import type { OperatorAct } from "@/lib/engine/runs/operator-acts";
import { ACT_WORDS } from "./command-words";
import { foundGroups, onlyThing } from "./found-commands";
import { useGoTos, usePreferences, useRecentCommands, useZones } from "./shell-commands";
import { useTasks } from "./tasks";

/** Short enough to feel instant, long enough that a typed word is one request and not five. */
const TYPING_MS = 150;
const MOST_ZONES = 8;
/** As the API takes it. */
const LONGEST_SEARCH = 255;

/** The palette's choices for the typed text. @param leave closes it, then goes there */
export function usePalette(leave: (then: () => void) => void) {
  const router = useRouter();
  const [text, setText] = useState("");
  const [pasted, setPasted] = useState(false);
  const isPasting = useRef(false);
  const q = text.trim();
  const settled = useDebounced(q, TYPING_MS);
  const asked = pasted ? q : settled;
  const { data, error, isFetching } = useQuery(searchQuery(asked));
  // Results for another text must not be opened for this one.
  const found = q !== "" && asked === q ? data : undefined;
  const only = pasted && found ? onlyThing(found, q) : null;
  useEffect(() => {
    if (only) leave(() => router.push(only));
  }, [only, leave, router]);

  const pages: CommandGroup[] = usePageCommands().map(withWords);
  const sections = {
    recent: { title: "Recent", commands: useRecentCommands() },
    goTo: { title: "Go to", commands: useGoTos() },
    tasks: { title: "Tasks", commands: useTasks() },
    preferences: { title: "Preferences", commands: usePreferences() },
  };
  const zones = useZones(q);
  const go = (href: string) => router.push(href);
  const groups =
    q === ""
      ? [...pages.map(onlyOpen), sections.recent, sections.tasks, sections.goTo, sections.preferences]
      : [
          ...[...pages, sections.tasks, sections.goTo].map((group) => ({
            ...group,
            commands: matching(group.commands, q),
          })),
          ...(found ? foundGroups(found, go) : []),
          { ...sections.preferences, commands: matching(sections.preferences.commands, q) },
          { title: "Times", commands: matching(zones, q).slice(0, MOST_ZONES) },
          allRuns(q, found?.moreRuns ?? false, go),
        ];
  return {
    text,
    type: (next: string) => {
      setPasted(isPasting.current);
      isPasting.current = false;
      setText(next.slice(0, LONGEST_SEARCH));
    },
    /** What follows was not typed: it is complete. */
    paste: () => {
      isPasting.current = true;
    },
    groups: groups.filter(({ commands }) => commands.length > 0),
    searching: q !== "" && (asked !== q || isFetching),
    found: found !== undefined,
    error: asked === q ? error : null,
  };
}

const withWords = (group: CommandGroup): CommandGroup => ({
  ...group,
  commands: group.commands.map((command) => ({
    ...command,
    words: `${command.words ?? ""} ${ACT_WORDS[command.id.replace("act ", "") as OperatorAct] ?? ""}`,
  })),
});

/** Before anything is typed, closed actions would hide the open ones. */
const onlyOpen = (group: CommandGroup): CommandGroup => ({
  ...group,
  commands: group.commands.filter(({ closed }) => !closed),
});

const allRuns = (q: string, more: boolean, go: (href: string) => void): CommandGroup => ({
  title: "",
  commands: [
    {
      id: "all runs",
      label: `${more ? "More runs" : "Runs"} with “${q}”`,
      icon: ListFilter,
      run: () => go(`/runs?q=${encodeURIComponent(q)}`),
    },
  ],
});
