"use client";

import { useState } from "react";
import { useStable } from "@/components/ui/hooks/use-stable";
import { MAX_NAMED_RUNS } from "@/lib/api/contract/caps";

/** The user's selection: rows, or everything that matches the filter, also beyond what is loaded. */
export interface RunSelection {
  ids: ReadonlySet<string>;
  all: boolean;
  isSelected: (runId: string) => boolean;
  /** Toggles one row; with `extend`, every row from the last one that was toggled. */
  toggle: (runId: string, extend?: boolean) => void;
  /** These rows in, whatever they were. */
  add: (runIds: string[]) => void;
  /** All rows of the list as it is loaded, or none. */
  toggleLoaded: () => void;
  chooseAll: () => void;
  clear: () => void;
}

interface Chosen {
  /** Of the filter that it was chosen under: under another one, nothing is chosen. */
  filter: string;
  ids: ReadonlySet<string>;
  all: boolean;
  /** The row that was touched last. */
  anchor: string | null;
}

const NOTHING = { ids: new Set<string>(), all: false, anchor: null };

export function useRunSelection(filter: string, runs: { id: string }[]): RunSelection {
  const [chosen, setChosen] = useState<Chosen>({ filter, ...NOTHING });
  const { ids, all, anchor } = chosen.filter === filter ? chosen : NOTHING;
  const set = (next: Partial<Omit<Chosen, "filter">>) => setChosen({ filter, ids, all, anchor, ...next });
  const loaded = runs.map(({ id }) => id);
  // Out of "all that match", one goes back to the rows that are in sight.
  const rows = all ? new Set(loaded) : ids;
  const toggle = useStable((runId: string, extend?: boolean) => {
    const next = toggled(rows, extend ? between(loaded, anchor, runId) : [runId], !rows.has(runId) || extend === true);
    set({ ids: next, all: false, anchor: runId });
  });
  return {
    ids,
    all,
    isSelected: (runId) => all || ids.has(runId),
    toggle,
    add: (runIds) => set({ ids: toggled(rows, runIds, true), all: false, anchor: runIds.at(-1) ?? anchor }),
    toggleLoaded: () => set({ ids: all || ids.size > 0 ? new Set() : toggled(new Set(), loaded, true), all: false }),
    chooseAll: () => set({ ids: new Set(), all: true }),
    clear: () => setChosen({ filter, ...NOTHING }),
  };
}

/** No more than one request can name: who wants more means all that match. */
export function toggled(ids: ReadonlySet<string>, runIds: readonly string[], on: boolean): ReadonlySet<string> {
  const next = new Set(ids);
  for (const runId of runIds) {
    if (!on) next.delete(runId);
    else if (next.size < MAX_NAMED_RUNS) next.add(runId);
  }
  return next;
}

/** The range between two rows, in either order; only the other one when the first is no longer in the list. */
export function between(list: readonly string[], from: string | null, to: string): string[] {
  const [a, b] = [from === null ? -1 : list.indexOf(from), list.indexOf(to)];
  return a < 0 || b < 0 ? [to] : list.slice(Math.min(a, b), Math.max(a, b) + 1);
}
