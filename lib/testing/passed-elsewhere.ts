import { DELIVERY_POINTS } from "../engine/delivery";
import { ITEM_POINTS } from "../engine/operation";
import type { FaultPoint } from "../worker/fault-points";

/** What a worker passes in rounds of its own, whenever there is something for them. */
export const BESIDE_THE_RUNS: readonly FaultPoint[] = [
  // Failures are folded into problems: workflows/problems.crash.test.ts.
  "problems:before-fold",
  "problems:before-commit",
  "problems:after-commit",
  // Runs are counted: workflows/rollups.crash.test.ts.
  "rollups:before-fold",
  "rollups:before-commit",
  "rollups:after-commit",
  // People outside are told: workflows/notifications.crash.test.ts.
  "notices:before-commit",
  "notices:after-commit",
  ...DELIVERY_POINTS,
];

/** Fault points that no sample workflow passes, and where workers are killed at them. */
export const PASSED_ELSEWHERE: readonly FaultPoint[] = [
  ...BESIDE_THE_RUNS,
  // workflows/schedules.crash.test.ts
  "schedule:before-fire",
  "schedule:before-commit",
  "schedule:after-commit",
  // workflows/retention.crash.test.ts
  "retention:before-delete",
  "retention:before-commit",
  "retention:after-commit",
  // lib/operator/operation.crash.test.ts
  ...ITEM_POINTS,
];
