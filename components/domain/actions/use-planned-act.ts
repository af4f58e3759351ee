"use client";

import { useState } from "react";
import { usesFreshKeys } from "@/components/domain/operations/plan-words";
import { useAct } from "@/components/parts/submit/use-act";
import { useDebounced } from "@/components/ui/hooks/use-debounced";
import type { PlanRequest } from "@/lib/api/contract/plans";
import type { Run } from "@/lib/api/contract/run";
import { useRequestPlanApproval } from "@/lib/api/hooks/approval-hooks";
import { usePlan, useRunExecution } from "@/lib/api/hooks/operation-hooks";
import type { FrozenRun } from "./use-frozen-run";

/** Long enough that a typed sentence makes one plan and not ten. */
const TYPING_MS = 400;

type Choice = PlanRequest extends infer One ? (One extends PlanRequest ? Omit<One, "selection"> : never) : never;

/**
 * An action on one run, as a plan with one item: the dialog shows what the server stores and executes.
 * Every choice makes a new plan.
 * @param choice null as long as the choice is incomplete
 * @param onDone with the run as it is afterwards
 */
export function usePlannedAct({ run }: FrozenRun, choice: Choice | null, onDone: (run: Run) => void) {
  const chosen = JSON.stringify(choice && { ...choice, selection: { runIds: [run.id] } });
  const settled = useDebounced(chosen, TYPING_MS);
  const act = useAct(useRunExecution(run.id), onDone);
  // An action that needs a second person stays a plan; it is then listed among the approvals.
  const [askedFor, setAskedFor] = useState<string | null>(null);
  const asking = useAct(useRequestPlanApproval(), () => setAskedFor(plan?.id ?? null));
  // A plan is executed once: after a refusal, which mints another key, the next try is another plan.
  const planning = usePlan(JSON.parse(settled) as PlanRequest | null, `${run.revision} ${act.key}`);
  // A plan of earlier choices says nothing about the current ones.
  const plan = chosen === settled ? planning.data : undefined;
  const item = plan?.items[0];
  const asked = plan !== undefined && plan.id === askedFor;
  const forTwo = item !== undefined && item.secondPerson !== null;
  return {
    item,
    asked,
    freshKeys: plan !== undefined && usesFreshKeys(plan),
    /** The props of the dialog's frame. */
    frame: {
      blocked: item?.included !== true || asked,
      pending: act.pending || asking.pending,
      error: act.error ?? asking.error ?? (plan ? null : planning.error),
      ...(forTwo && { submit: "Request approval" }),
    },
    submit: (reason: string) =>
      plan && (forTwo ? asking : act).submit({ planId: plan.id, request: { hash: plan.hash, reason } }),
  };
}

export type PlannedAct = ReturnType<typeof usePlannedAct>;
