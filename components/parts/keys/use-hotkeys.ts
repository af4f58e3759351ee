"use client";

import { useEffect, useEffectEvent, useSyncExternalStore } from "react";
import { stored } from "@/components/ui/hooks/use-stored";
import { type HotkeyName, isCharacter, SECOND_KEY_MS } from "./hotkeys";

export type Hotkeys = Partial<Record<HotkeyName, (event: KeyboardEvent) => void>>;

/** `everywhere`: a key of the shell, used when the page does not define the key. */
export type HotkeyScope = "page" | "everywhere";

/** Under which this browser keeps "off". */
export const HOTKEYS_SWITCH = "handrail.keys";

interface Registration {
  names: readonly string[];
  scope: HotkeyScope;
  act: (name: string, event: KeyboardEvent) => void;
}

// One listener for the whole page: two keys in a row, and which of two uses of a key counts, are decided in one place.
let registrations: readonly Registration[] = [];
const watchers = new Set<() => void>();
let first: { key: string; at: number } | null = null;

function change(next: readonly Registration[]): void {
  if (registrations.length === 0) addEventListener("keydown", press);
  registrations = next;
  if (registrations.length === 0) removeEventListener("keydown", press);
  for (const watcher of watchers) watcher();
}

/**
 * Keys that work while no field has the focus and no window is open. If a key is bound twice, the page's binding wins,
 * and the latest of them.
 */
export function useHotkeys(hotkeys: Hotkeys, scope: HotkeyScope = "page"): void {
  const names = Object.keys(hotkeys).join("\n");
  const act = useEffectEvent((name: string, event: KeyboardEvent) => hotkeys[name as HotkeyName]?.(event));
  useEffect(() => {
    if (names === "") return;
    const registration = {
      names: names.split("\n"),
      scope,
      act: (name: string, event: KeyboardEvent) => act(name, event),
    };
    change([...registrations, registration]);
    return () => change(registrations.filter((one) => one !== registration));
  }, [names, scope]);
}

/** Which keys do something on this page now. */
export function useHotkeysInUse(): ReadonlyMap<string, HotkeyScope> {
  const all = useSyncExternalStore(
    watch,
    () => registrations,
    () => NONE,
  );
  const byName = new Map<string, HotkeyScope>();
  for (const { names, scope } of all)
    for (const name of names) if (byName.get(name) !== "page") byName.set(name, scope);
  return byName;
}

const NONE: readonly Registration[] = [];

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

function press(event: KeyboardEvent): void {
  const name = nameOf(event);
  if (event.defaultPrevented || event.isComposing || name === null) return;
  const found = name.startsWith("Mod+") ? !isWindowOpen() && handlerOf(name) : plainUse(name, event);
  if (!found) return;
  event.preventDefault();
  found.registration.act(found.name, event);
}

/** Null of what is no key of ours: with Alt, and of Ctrl and ⌘ both. */
function nameOf({ key, metaKey, ctrlKey, altKey, shiftKey }: KeyboardEvent): string | null {
  const isLetter = /^[a-z]$/i.test(key);
  const plain = isLetter ? key.toLowerCase() : key;
  if (altKey || (metaKey && ctrlKey)) return null;
  if (metaKey || ctrlKey) return shiftKey ? null : `Mod+${plain}`;
  return isLetter && shiftKey ? `Shift+${plain}` : plain;
}

function plainUse(name: string, event: KeyboardEvent) {
  const begun = first && event.timeStamp - first.at <= SECOND_KEY_MS ? first.key : null;
  if (/^(Shift|Control|Alt|Meta)$/.test(name)) return null;
  first = null;
  if (isTyping(event.target) || isWindowOpen()) return null;
  if (name === "Enter" && isPressable(event.target)) return null;
  if (isCharacter(name) && stored(HOTKEYS_SWITCH) === "off") return null;
  const second = begun && handlerOf(`${begun} ${name}`);
  if (second) return second;
  const alone = handlerOf(name) ?? (name.startsWith("Shift+") ? handlerOf(name.slice("Shift+".length)) : null);
  if (!alone && registrations.some(({ names }) => names.some((one) => one.startsWith(`${name} `))))
    first = { key: name, at: event.timeStamp };
  return alone;
}

function handlerOf(name: string): { registration: Registration; name: string } | null {
  const having = registrations.filter(({ names }) => names.includes(name));
  const registration = having.findLast(({ scope }) => scope === "page") ?? having.at(-1);
  return registration ? { registration, name } : null;
}

/** Elements that handle Enter themselves. */
const isPressable = (target: EventTarget | null) =>
  target instanceof Element && target.closest("a, button, summary") !== null;

const isTyping = (target: EventTarget | null) =>
  target instanceof Element &&
  target.closest("input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable=true]") !== null;

const isWindowOpen = () =>
  document.querySelector("[role=dialog][data-state=open], [role=menu][data-state=open]") !== null;
