import { FAULT_POINTS, type FaultPoint } from "../../worker/fault-points";

const pointsOf = (...groups: string[]): readonly FaultPoint[] =>
  FAULT_POINTS.filter((point) => groups.includes(point.slice(0, point.indexOf(":"))));

/** Passed by a worker as it registers and in its periodic rounds, when there is work for them; crash tests of demo/workflows and lib/worker kill it there. */
export const BESIDE_THE_RUNS = pointsOf(
  ...["problems", "rollups", "logs", "notices", "delivery", "alerts", "deploy", "expire"],
);

/**
 * Fault points that no sample workflow passes. Workers are killed at them in demo/workflows/ (schedules, retention),
 * lib/operator/ (operations, probes), lib/worker/queues/ (permits) and lib/remote/ (requests to code).
 */
export const PASSED_ELSEWHERE = [
  ...BESIDE_THE_RUNS,
  ...pointsOf("schedule", "retention", "operation", "probe", "code", "permit", "blob"),
];
