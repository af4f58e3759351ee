"use client";

import { useRouter } from "next/navigation";
import { SIDE_BY_SIDE, useMediaQuery } from "@/components/ui/hooks/use-media-query";
import { useStable } from "@/components/ui/hooks/use-stable";
import { useHotkeys } from "./use-hotkeys";

interface ListKeys {
  /** Of the things in the list, in its order. */
  ids: readonly string[];
  /** The one in the inspector. */
  chosen: string | null;
  /** Null closes. `push`: as a step of the history. Done when the address has it. */
  choose: (id: string | null, history?: "push" | "replace") => Promise<unknown>;
  hrefOf: (id: string) => string;
  /** Of its row in the page, which holds its link first of all links. */
  rowId: (id: string) => string;
  /** Where not every row is drawn: has it drawn. */
  reveal?: (index: number) => void;
  /** A move with shift. */
  extend?: (ids: string[]) => void;
  /** Esc, when the inspector is empty. */
  onEscape?: () => void;
}

/**
 * A list with an inspector, by keys: J and K move, Enter opens the page, Esc closes. Beside the list, the inspector follows each
 * move; where it would lie over the list, moves go from link to link, and Enter or a tap opens it as a step that Back takes back.
 */
export function useListKeys({ ids, chosen, choose, hrefOf, rowId, reveal, extend, onEscape }: ListKeys) {
  const router = useRouter();
  const wide = useMediaQuery(SIDE_BY_SIDE);
  const isChosen = wide && chosen !== null && ids.includes(chosen);
  const current = () =>
    wide
      ? ids.indexOf(chosen ?? "")
      : ids.findIndex((id) => document.getElementById(rowId(id))?.contains(document.activeElement));
  const move = (by: 1 | -1, extending: boolean) => {
    const from = current();
    const to = from < 0 ? 0 : from + by;
    const next = ids[to];
    if (next === undefined) return;
    if (extending) extend?.([...ids.slice(from, from + 1), next]);
    if (wide) void choose(next);
    reveal?.(to);
    focusRow(rowId(next), reveal !== undefined);
  };
  const open = async (id: string) => {
    // After the URL change of a move: a pending one would take the page back to the list.
    if (wide) await choose(id);
    router.push(hrefOf(id));
  };
  useHotkeys({
    j: ({ shiftKey }) => move(1, shiftKey),
    k: ({ shiftKey }) => move(-1, shiftKey),
    Escape: () => void (chosen === null ? onEscape?.() : choose(null)),
    ...(isChosen && { Enter: () => open(chosen) }),
  });
  return {
    /** Into the inspector. */
    show: useStable((id: string) => void choose(id, wide ? "replace" : "push")),
    open: useStable(open),
    /** The one that keys act on. */
    current: () => ids[current()],
  };
}

/** Once it is drawn, so that who moves by keys hears where they are. */
function focusRow(id: string, preventScroll: boolean): void {
  requestAnimationFrame(() => document.getElementById(id)?.querySelector("a")?.focus({ preventScroll }));
}
