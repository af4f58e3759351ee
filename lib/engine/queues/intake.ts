import type { Openness } from "../runs/operator-acts";

/** What a closed intake holds: the runs that have not begun, or all of the workflow's. */
export const INTAKE_HOLDS = ["new", "all"] as const;
export type IntakeHolds = (typeof INTAKE_HOLDS)[number];

/** A closed intake; null while it is open. */
export type ClosedIntake = { holds: IntakeHolds; closedBy: string } | null;

/** Close it, or change what it holds. */
export function mayCloseIntake(closed: ClosedIntake, holds: IntakeHolds): Openness {
  if (closed?.holds !== holds) return { open: true };
  return { open: false, because: `${closed.closedBy} has already paused new runs.` };
}

export function mayOpenIntake(closed: ClosedIntake): Openness {
  return closed ? { open: true } : { open: false, because: "New runs of this workflow are not paused." };
}

/** The facts of a run that a closed intake depends on. */
interface HoldFacts {
  status: string;
  begun: boolean;
}

/** Whether a closed intake holds this run; a paused run is held by its pause instead. */
export function isHeld({ status, begun }: HoldFacts, holds: IntakeHolds): boolean {
  if (status === "pending" && !begun) return true;
  return holds === "all" && (status === "pending" || status === "waiting" || status === "compensating");
}
