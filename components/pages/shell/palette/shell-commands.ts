"use client";

import { useQuery } from "@tanstack/react-query";
import { Clock, History, Keyboard, Monitor, Moon, Pause, Play, Sun } from "lucide-react";
import { usePathname, useRouter } from "next/navigation";
import { useTheme } from "next-themes";
import type { HotkeyName } from "@/components/parts/keys/hotkeys";
import { useLive } from "@/components/parts/live/live-provider";
import { existing, PAGES } from "@/components/parts/page/destinations";
import { useOpenWindow } from "@/components/parts/page/open-window";
import type { Command } from "@/components/parts/palette/commands";
import { useRecent } from "@/components/parts/palette/recent";
import { allZones, useHoursChoice, useZoneChoice } from "@/components/parts/time/time-choices";
import { useTimes } from "@/components/parts/time/viewer-formats";
import { overviewQuery } from "@/lib/api/hooks/queries";
import { PAGE_ICONS, PAGE_WORDS } from "./command-words";

/** To any page that there is. */
export function useGoTos(): Command[] {
  const router = useRouter();
  const { data } = useQuery(overviewQuery());
  return existing(PAGES, data).map(({ href, name, key }) => ({
    id: `go ${href}`,
    label: name,
    words: `go to page ${PAGE_WORDS[href] ?? ""}`,
    icon: PAGE_ICONS[href],
    hotkey: `g ${key}` as HotkeyName,
    run: () => router.push(href),
  }));
}

/** Recent things, except the current one. */
export function useRecentCommands(): Command[] {
  const router = useRouter();
  const here = usePathname();
  return useRecent()
    .filter(({ href }) => href !== here)
    .map(({ href, label }) => ({ id: `recent ${href}`, label, icon: History, run: () => router.push(href) }));
}

const THEMES = [
  { value: "light", label: "Light theme", icon: Sun },
  { value: "dark", label: "Dark theme", icon: Moon },
  { value: "system", label: "System theme", icon: Monitor },
];

/** The other clock, or that of the browser's language. */
function useClocks(): Command[] {
  const { hours } = useTimes();
  const [chosen, choose] = useHoursChoice();
  const other = hours === 12 ? 24 : 12;
  return [
    { id: `hours ${other}`, label: `${other}-hour clock`, run: () => choose(other) },
    ...(chosen === null ? [] : [{ id: "hours own", label: "Browser clock format", run: () => choose(null) }]),
  ].map((clock) => ({ ...clock, words: "time am pm hours 12h 24h", icon: Clock }));
}

/** Times in any zone; nothing before something is typed, for there are hundreds. */
export function useZones(typed: string): Command[] {
  const [chosen, choose] = useZoneChoice();
  const own = { id: "zone own", label: "Times in this computer's time zone", run: () => choose(null) };
  if (typed.length < 2) return [];
  const others = allZones()
    .filter((zone) => zone !== chosen)
    .map((zone) => ({
      id: `zone ${zone}`,
      label: `Times in ${zone.replaceAll("_", " ")}`,
      words: zone.replaceAll(/[/_]/g, " "),
      run: () => choose(zone),
    }));
  return [...(chosen === null ? [] : [own]), ...others].map((zone) => ({ words: "", ...zone, icon: Clock }));
}

/** Display settings of this browser. */
export function usePreferences(): Command[] {
  const { theme, setTheme } = useTheme();
  const { paused, setPaused } = useLive();
  const open = useOpenWindow();
  const clocks = useClocks();
  return [
    {
      id: "pause",
      label: paused ? "Resume updating" : "Pause updating",
      words: "live refresh hold still",
      icon: paused ? Play : Pause,
      run: () => setPaused(!paused),
    },
    ...THEMES.filter(({ value }) => value !== theme).map(({ value, label, icon }) => ({
      id: `theme ${value}`,
      label,
      words: "change appearance mode",
      icon,
      run: () => setTheme(value),
    })),
    ...clocks,
    {
      id: "keys",
      label: "Keys",
      words: "keyboard shortcuts help",
      icon: Keyboard,
      hotkey: "?" as const,
      run: () => open("keys"),
    },
  ];
}
