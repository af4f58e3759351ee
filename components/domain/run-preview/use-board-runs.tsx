"use client";

import { parseAsString, useQueryState } from "nuqs";
import type { MouseEvent } from "react";
import { stepHref } from "@/components/domain/run/step-href";
import { onPlainClick } from "@/components/parts/keys/plain-click";
import { useListKeys } from "@/components/parts/keys/use-list-keys";
import { nameOfRun } from "@/lib/format/run-name";
import { RunBeside } from "./run-beside";

/** A card of a board: an action that a step of a run needs. */
interface BoardCard {
  runId: string;
  step: string;
  tags: Record<string, string>;
  runTitle: string | null;
}

/** The relation of a card to the run in the inspector. */
export interface BoardPlace {
  /** The first card of each run, which keys move between. */
  id: string | undefined;
  /** Its run is in the inspector. */
  selected: boolean;
  /** Of the link to its run. */
  onClick: (event: MouseEvent) => void;
}

/** What people call the run of a card. */
export const boardName = (card: BoardCard) => nameOfRun(card.runId, card);

export const boardHref = ({ runId, step }: BoardCard) => stepHref(runId, step);

/**
 * Shows a card's run beside the board (`?run=`): its sentence, its steps, what it waits for, while the board stays. J
 * and K go from run to run, Enter opens the page, Esc closes.
 * @param cards in the board's order; a run may have several
 */
export function useBoardRuns(cards: readonly BoardCard[]) {
  const [chosen, choose] = useQueryState("run", parseAsString.withOptions({ history: "replace" }));
  const first = new Map<string, BoardCard>();
  for (const card of cards) if (!first.has(card.runId)) first.set(card.runId, card);
  const keys = useListKeys({
    ids: [...first.keys()],
    chosen,
    choose: (runId, history = "replace") => choose(runId, { history }),
    hrefOf: (runId) => boardHref(first.get(runId) as BoardCard),
    rowId,
  });
  const named = chosen === null ? undefined : first.get(chosen);
  return {
    placeOf: (card: BoardCard): BoardPlace => ({
      id: first.get(card.runId) === card ? rowId(card.runId) : undefined,
      selected: card.runId === chosen,
      onClick: onPlainClick((byKey) => (byKey ? keys.open : keys.show)(card.runId)),
    }),
    beside: chosen && <RunBeside runId={chosen} name={named && boardName(named)} onClose={() => void choose(null)} />,
  };
}

const rowId = (runId: string) => `run-of-${runId}`;
