"use client";

import { useQueryClient } from "@tanstack/react-query";
import { mintKey } from "../acts/mint-key";
import { type Thing, tell, tellRefusal } from "./tell";

/** Stands in the audit with the inverse act. */
export const UNDO_REASON = "Taken back at once, by Undo.";

interface Undoing {
  /** The inverse act, which the server judges and the audit keeps like any other. */
  act: (idempotencyKey: string) => Promise<unknown>;
  /** Completes nothing: a sentence of its own, such as "The run goes on". */
  done: string;
  about?: Thing;
}

/**
 * For the Undo of a toast. Whatever it is pressed, it is done once; refused, it says why: what it would take back may have moved on.
 */
export function useUndo() {
  const queryClient = useQueryClient();
  return ({ act, done, about }: Undoing): (() => void) => {
    const key = mintKey();
    let pressed = false;
    return () => {
      if (pressed) return;
      pressed = true;
      void act(key)
        .then(() => tell(done, about && { about }))
        .catch((error: Error) => tellRefusal(error, about))
        .finally(() => queryClient.invalidateQueries());
    };
  };
}
