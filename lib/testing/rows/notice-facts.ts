import type { NoticeFacts } from "../../engine/notices/notice";

/** What a notice is made of: a problem's, of which nothing more is known than is given. */
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
  ...given,
});
