import type { CompensationLane } from "../../engine/compensations/compensation-board";

/* What needs attention, said once for lists, filters, counts and the board. */

/** Why the run needs attention; null if it does not. */
export const attentionOf = (run: string) => `${run}.attention`;

/** The condition by which its index finds the runs that need attention for this reason, an expression. */
export const needsAttention = (run: string, why: string) => `${run}.attention = ${why}`;

/** Compensations without an outcome, in the exact words of their index's predicate. */
export const OPEN_COMPENSATIONS = "compensation.status in ('owed', 'running', 'failed')";

/** Each in the exact words of its index's predicate. */
export const COMPENSATION_LANES = {
  failed: "compensation.status = 'failed'",
  by_hand: "compensation.status = 'owed' and compensation.mode = 'manual'",
  running: "compensation.status = 'running'",
  owed: "compensation.status = 'owed' and compensation.mode = 'automatic'",
  settled: "compensation.status in ('completed', 'waived')",
} satisfies Record<CompensationLane, string>;
