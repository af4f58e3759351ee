import { COMPENSATION_LOOKS, lookOfCompensation } from "@/components/domain/run/step-looks";
import { type CompensationLane, OPEN_LANES } from "@/lib/engine/compensations/compensation-board";

/** A lane's name, and who acts in it. */
export const LANES = {
  failed: { title: "Failed", note: "the code tried to undo it and could not", look: COMPENSATION_LOOKS.failed },
  by_hand: {
    title: "By hand",
    note: "only a person can undo it",
    look: lookOfCompensation({ mode: "manual", status: "owed" }),
  },
  // The lane holds many compensations, none of which it is executing: it does not spin.
  running: {
    title: "Undoing",
    note: "a worker is on it now",
    look: { ...COMPENSATION_LOOKS.running, shape: "running" },
  },
  owed: { title: "Owed", note: "undone by the code, each in its turn", look: COMPENSATION_LOOKS.owed },
  settled: { title: "Settled", note: "undone or waived, the latest first", look: COMPENSATION_LOOKS.completed },
} as const satisfies Record<CompensationLane, object>;

/** Operators first. */
export const LANE_ORDER = [...OPEN_LANES, "settled"] as const satisfies CompensationLane[];
