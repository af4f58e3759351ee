"use client";

import { useState } from "react";
import { useAct } from "@/components/parts/submit/use-act";
import { tell } from "@/components/parts/toasts/tell";
import { useUndo } from "@/components/parts/toasts/use-undo";
import type { ProblemDetail } from "@/lib/api/contract/problems";
import { useProblemAct } from "@/lib/api/hooks/problem-hooks";
import type { ProblemAct } from "@/lib/engine/problems/problem";

export interface DialogProps {
  problem: ProblemDetail;
  onClose: () => void;
}

export interface Inverse {
  /** @param revision of the problem after the act: changed meanwhile, it is refused */
  act: (before: ProblemDetail, revision: number, idempotencyKey: string) => Promise<ProblemDetail>;
  done: (before: ProblemDetail) => string;
}

/** @param inverse takes the act back, where there is an act that does */
export function useSending<Act extends ProblemAct>(
  { problem, onClose }: DialogProps,
  act: Act,
  done: string,
  inverse?: Inverse,
) {
  const undo = useUndo();
  const about = { name: problem.example.pattern, href: `/problems/${problem.id}` };
  return useAct(useProblemAct(problem.id, act), ({ revision }) => {
    const back = inverse && {
      act: (key: string) => inverse.act(problem, revision, key),
      done: inverse.done(problem),
      about,
    };
    tell(done, { about, undo: back && undo(back) });
    onClose();
  });
}

/** A whole number from 1 to the most, or nothing. */
export function useNumberIfAny(most: number, says: string) {
  const [text, setText] = useState("");
  const number = text.trim() === "" ? null : Number(text);
  const fits = number === null || (Number.isInteger(number) && number >= 1 && number <= most);
  const field = {
    inputMode: "numeric" as const,
    value: text,
    onChange: ({ target }: { target: { value: string } }) => setText(target.value),
    error: fits ? undefined : says,
  };
  return { number, fits, field };
}
