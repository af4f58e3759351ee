import type { ItemOutcome } from "./operation";
import { decidedOn, type PlanFacts, type PlanItem } from "./plan";
import { isDoneAlready, type PlannedAct } from "./planned-act";

export type Judgement = { outcome: "done" } | { outcome: Exclude<ItemOutcome, "done" | "failed">; because: string };

/** A run as it is now, under its lock: its facts, and the result of the plan's rule. */
export interface ItemNow {
  facts: PlanFacts;
  item: PlanItem;
}

/** Whether an item is executed, given its plan and the current state. `now` is null if the run no longer exists. */
export function judgeItem(act: PlannedAct, seen: PlanItem, now: ItemNow | null): Judgement {
  if (!now) return { outcome: "not_eligible", because: "The run is not there any more." };
  const moved = now.facts.revision !== seen.revision;
  if (moved && isDoneAlready(act, now.facts, seen))
    return { outcome: "already", because: `Somebody else has seen to it: the run is ${now.facts.status}.` };
  if (!now.item.included) return { outcome: "not_eligible", because: now.item.because ?? "" };
  if (seen.secondPerson === null && now.item.secondPerson !== null)
    return { outcome: "changed", because: "Since the plan was made, its workflow demands a second person for this." };
  if (moved && seen.secondPerson !== null)
    return { outcome: "changed", because: "The run has moved on since two people agreed on what to do with it." };
  if (moved && decidedOn(act, now.item) !== decidedOn(act, seen))
    return {
      outcome: "changed",
      because: "The run has moved on, and the act would come to something else than planned.",
    };
  return { outcome: "done" };
}
