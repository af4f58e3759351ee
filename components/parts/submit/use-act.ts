"use client";

import type { UseMutationResult } from "@tanstack/react-query";
import { useState } from "react";
import { notSent } from "@/components/parts/live/health-words";
import { useCutOff } from "@/components/parts/live/use-health";
import { ApiError, type Sent } from "@/lib/api/client/client";
import type { Run } from "@/lib/api/contract/run";
import { mintKey } from "./mint-key";

/** Without an answer (0) or after a server error, the action may have been done: only the same key is safe. */
const wasRefused = (error: ApiError) => error.status >= 400 && error.status < 500;

const MAY_BE_DONE = new ApiError(
  "idempotency_conflict",
  "An earlier try of this had no answer, and was received. Close this window and look whether it was done before you try again.",
  409,
);

/**
 * One dialog's action: its key is minted when the dialog opens, and again after a refusal, because the next try is
 * another action. After a try without an answer it stays, whatever later tries are answered: a new key could do it twice.
 */
export function useAct<Variables extends Sent<unknown>, Answer = Run>(
  mutation: UseMutationResult<Answer, ApiError, Variables>,
  onDone: (answer: Answer) => void,
  /** For actions without a place to show their error. */
  onRefused?: (error: ApiError) => void,
) {
  const [key, setKey] = useState(mintKey);
  const cutOff = useCutOff();
  const [unsent, setUnsent] = useState<ApiError | null>(null);
  const [unanswered, setUnanswered] = useState(false);
  // A promise: callbacks of `mutate` are dropped when the dialog unmounts with its row or step.
  const submit = (variables: Omit<Variables, "idempotencyKey">) => {
    const error = cutOff === null ? null : new ApiError("unreachable", notSent(cutOff), 0);
    setUnsent(error);
    if (error) return onRefused?.(error);
    void mutation.mutateAsync({ ...variables, idempotencyKey: key } as Variables).then(onDone, (error: ApiError) => {
      if (!wasRefused(error)) setUnanswered(true);
      else if (!unanswered) setKey(mintKey());
      onRefused?.(error);
    });
  };
  const refusal = unanswered && mutation.error?.code === MAY_BE_DONE.code ? MAY_BE_DONE : mutation.error;
  return { key, submit, pending: mutation.isPending, error: (cutOff === null ? null : unsent) ?? refusal };
}
