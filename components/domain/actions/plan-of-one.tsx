import Link from "next/link";
import type { ReactNode } from "react";
import { ItemFacts } from "@/components/domain/operations/plan-items";
import { Callout } from "@/components/ui/feedback/callout";
import { Skeleton } from "@/components/ui/feedback/skeleton";
import type { PlannedAct } from "./use-planned-act";

/**
 * The plan's statement about the run: which results it keeps, what runs again, and which effects have happened; or why
 * it is left out.
 */
export function PlanOfOne({ item, asked, freshKeys, frame }: PlannedAct): ReactNode {
  if (!item) return frame.error ? null : <Skeleton className="h-9" />;
  if (!item.included)
    return (
      <Callout role="status" tone="amber" title="Nothing to run">
        <p className="text-ink-2">{item.because}</p>
      </Callout>
    );
  return (
    <>
      {item.secondPerson !== null && <ForTwo workflow={item.workflow} asked={asked} />}
      <ItemFacts item={item} freshKeys={freshKeys} />
    </>
  );
}

function ForTwo({ workflow, asked }: { workflow: string; asked: boolean }) {
  if (asked)
    return (
      <Callout role="status" tone="accent" title="Approval requested">
        <p className="text-ink-2">
          The plan is in{" "}
          <Link href="/approvals" className="text-accent underline underline-offset-2">
            approvals
          </Link>
          . After a second person approves it, run it there.
        </p>
      </Callout>
    );
  return (
    <Callout tone="amber" title="Needs a second approver">
      <p className="text-ink-2">
        The code of {workflow} requires it: you ask for approval, and a second person gives it.
      </p>
    </Callout>
  );
}
