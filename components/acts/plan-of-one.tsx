import type { ReactNode } from "react";
import { ItemFacts } from "../operations/plan-items";
import { Callout } from "../ui/callout";
import { Skeleton } from "../ui/skeleton";
import type { PlannedAct } from "./use-planned-act";

/** What the plan says about the run: what stays, what runs again, and which effects have happened; or why it is left out. */
export function PlanOfOne({ item, freshKeys, frame }: PlannedAct): ReactNode {
  if (!item) return frame.error ? null : <Skeleton className="h-9" aria-label="Looking at the run" />;
  if (!item.included)
    return (
      <Callout role="status" tone="amber" title="There is nothing to carry out">
        <p className="text-ink-2">{item.because}</p>
      </Callout>
    );
  return <ItemFacts item={item} freshKeys={freshKeys} />;
}
