import type { NoticeFacts } from "../../engine/notices/notice";

/** The facts of a notice about a problem, with only the given ones known. */
export const noticeFacts = (given: Partial<NoticeFacts>): NoticeFacts => ({
  kind: "problem.opened",
  at: "2026-11-21T03:12:45.120Z",
  workflows: ["order-fulfilment"],
  step: "charge-payment",
  runId: null,
  problemId: null,
  planId: null,
  operationId: null,
  destinationId: null,
  problemKind: null,
  errorName: null,
  openRuns: null,
  act: null,
  runs: null,
  by: null,
  name: null,
  alertId: null,
  alert: null,
  ...given,
});
