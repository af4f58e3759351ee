"use client";

import type { PlanRequest } from "@/lib/api/contract/plans";
import type { Run } from "@/lib/api/contract/run";
import { usePlan, useRunExecution } from "@/lib/api/hooks/operation-hooks";
import { useSettled } from "../ui/use-settled";
import { useAct } from "./use-act";
import type { FrozenRun } from "./use-frozen-run";

/** Long enough that a typed sentence is one plan and not ten. */
const TYPING_MS = 400;

type Choice = PlanRequest extends infer One ? (One extends PlanRequest ? Omit<One, "selection"> : never) : never;

/**
 * An act on one run by way of a plan of one: what stands in the dialog is what the server keeps, and what it carries out.
 * Whatever is chosen, the plan is made anew.
 * @param onDone with the run as it stands after
 */
export function usePlannedAct({ run }: FrozenRun, choice: Choice, onDone: (run: Run) => void) {
  const chosen = JSON.stringify({ ...choice, selection: { runIds: [run.id] } });
  const settled = useSettled(chosen, TYPING_MS);
  const act = useAct(useRunExecution(run.id), onDone);
  // A plan is carried out once: after a refusal, which mints another key, the next try is another plan.
  const planning = usePlan(JSON.parse(settled) as PlanRequest, `${run.revision} ${act.key}`);
  // A plan of what was chosen before says nothing about what is chosen now.
  const plan = chosen === settled ? planning.data : undefined;
  const item = plan?.items[0];
  return {
    item,
    freshKeys: plan?.params.freshKeys === true,
    /** What the dialog's frame asks for. */
    frame: {
      blocked: item?.included !== true,
      pending: act.pending,
      error: act.error ?? (plan ? null : planning.error),
    },
    submit: (reason: string) => plan && act.submit({ planId: plan.id, request: { hash: plan.hash, reason } }),
  };
}

export type PlannedAct = ReturnType<typeof usePlannedAct>;
