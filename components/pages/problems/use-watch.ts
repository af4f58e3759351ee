"use client";

import { mintKey } from "@/components/parts/submit/mint-key";
import { tell, tellRefusal } from "@/components/parts/toasts/tell";
import type { ProblemDetail } from "@/lib/api/contract/problems";
import { useProblemAct } from "@/lib/api/hooks/problem-hooks";
import type { ProblemAct } from "@/lib/engine/problems/problem";

/** Done by one press, without a dialog: there is nothing to choose, and the opposite takes it back. */
export const AT_ONCE = ["watch", "unwatch"] as const satisfies ProblemAct[];
export type AtOnce = (typeof AT_ONCE)[number];

export const isAtOnce = (act: ProblemAct): act is AtOnce => (AT_ONCE as readonly ProblemAct[]).includes(act);

/** Begins and ends the viewer's watch. Each press is an action with its own key. */
export function useWatch({ id, example }: ProblemDetail) {
  const acts = { watch: useProblemAct(id, "watch"), unwatch: useProblemAct(id, "unwatch") };
  const about = { name: example.pattern, href: `/problems/${id}` };
  const press = (act: AtOnce) => {
    if (acts[act].isPending) return;
    void acts[act].mutateAsync({ request: {}, idempotencyKey: mintKey() }).then(
      () => tell(act === "watch" ? "You watch this problem" : "You no longer watch this problem", { about }),
      (error: Error) => tellRefusal(error, about),
    );
  };
  return press;
}
