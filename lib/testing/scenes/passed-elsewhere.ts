import { FAULT_POINTS, type FaultPoint } from "../../worker/fault-points";

const pointsOf = (...groups: string[]): readonly FaultPoint[] =>
  FAULT_POINTS.filter((point) => groups.includes(point.slice(0, point.indexOf(":"))));

/** Passed in a worker's periodic rounds, when there is work for them; demo/workflows/*.crash.test.ts kills it there. */
export const BESIDE_THE_RUNS = pointsOf("problems", "rollups", "logs", "notices", "delivery");

/**
 * Fault points that no sample workflow passes. Workers are killed at them in demo/workflows/ (schedules, retention),
 * lib/operator/ (operations) and lib/remote/ (requests to code).
 */
export const PASSED_ELSEWHERE = [...BESIDE_THE_RUNS, ...pointsOf("schedule", "retention", "operation", "code")];
