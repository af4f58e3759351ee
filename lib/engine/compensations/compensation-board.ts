import type { CompensationMode, CompensationStatus } from "./compensation";

/** The lanes of the compensation board. The first two wait for a person. */
export const COMPENSATION_LANES = ["failed", "by_hand", "running", "owed", "settled"] as const;
export type CompensationLane = (typeof COMPENSATION_LANES)[number];

/** Lanes of compensations without an outcome. */
export const OPEN_LANES = ["failed", "by_hand", "running", "owed"] as const satisfies CompensationLane[];
export type OpenLane = (typeof OPEN_LANES)[number];

interface OnBoard {
  mode: Exclude<CompensationMode, "none">;
  status: Exclude<CompensationStatus, "none">;
}

export function laneOf({ mode, status }: OnBoard): CompensationLane {
  switch (status) {
    case "failed":
    case "running":
      return status;
    case "owed":
      return mode === "manual" ? "by_hand" : "owed";
    case "completed":
    case "waived":
      return "settled";
  }
}

/** Longest assignee name of a compensation without sign-in, in characters. */
export const MAX_ASSIGNEE = 100;
