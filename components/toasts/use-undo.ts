"use client";

import { useQueryClient } from "@tanstack/react-query";
import { mintKey } from "../acts/mint-key";
import { type Thing, tell, tellRefusal } from "./tell";

/** Stands in the audit with the inverse act. */
export const UNDO_REASON = "Taken back at once, by Undo.";

interface Undoing<Answer> {
  /** The inverse act, which the server judges and the audit keeps like any other. */
  act: (idempotencyKey: string) => Promise<Answer>;
  /** Completes nothing: a sentence of its own, such as "The run goes on". */
  done: string;
  about?: Thing | ((answer: Answer) => Thing);
}

/**
 * For the Undo of a toast. Whatever it is pressed, it is done once; refused, it says why: what it would take back may have moved on.
 */
export function useUndo() {
  const queryClient = useQueryClient();
  return <Answer>({ act, done, about }: Undoing<Answer>): (() => void) => {
    const key = mintKey();
    let pressed = false;
    return () => {
      if (pressed) return;
      pressed = true;
      void act(key)
        .then((answer) => tell(done, about && { about: typeof about === "function" ? about(answer) : about }))
        .catch((error: Error) => tellRefusal(error, typeof about === "function" ? undefined : about))
        .finally(() => queryClient.invalidateQueries());
    };
  };
}
