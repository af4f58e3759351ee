import { COMPENSATION_LOOKS, lookOfCompensation } from "@/components/domain/run/step-looks";
import { type CompensationLane, OPEN_LANES } from "@/lib/engine/compensations/compensation-board";

/** A lane's name, and who acts in it. */
export const LANES = {
  failed: { title: "Failed", note: "automatic compensation failed", look: COMPENSATION_LOOKS.failed },
  by_hand: {
    title: "Manual",
    note: "needs manual action",
    look: lookOfCompensation({ mode: "manual", status: "owed" }),
  },
  // The lane holds many compensations, none of which it is executing: it does not spin.
  running: {
    title: "Running",
    note: "in progress",
    look: { ...COMPENSATION_LOOKS.running, shape: "running" },
  },
  owed: { title: "Pending", note: "automatic, in order", look: COMPENSATION_LOOKS.owed },
  settled: { title: "Resolved", note: "compensated or waived, latest first", look: COMPENSATION_LOOKS.completed },
} as const satisfies Record<CompensationLane, object>;

/** Operators first. */
export const LANE_ORDER = [...OPEN_LANES, "settled"] as const satisfies CompensationLane[];
