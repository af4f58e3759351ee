"use client";

import { useQueryClient } from "@tanstack/react-query";
import { mintKey } from "@/components/parts/submit/mint-key";
import { type Thing, tell, tellRefusal } from "./tell";

/** The reason of the inverse action in the audit log. */
export const UNDO_REASON = "Reverted with Undo.";

interface Undoing<Answer> {
  /** The inverse action, checked by the server and recorded in the audit log like any other. */
  act: (idempotencyKey: string) => Promise<Answer>;
  /** A complete sentence, such as "The run goes on". */
  done: string;
  about?: Thing | ((answer: Answer) => Thing);
}

/**
 * For the Undo of a toast. However often it is pressed, it is done once; a refusal says why: what it would revert may
 * have moved on.
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
