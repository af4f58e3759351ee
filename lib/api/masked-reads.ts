import type { z } from "zod";
import { type Permissions, seesMasked } from "../engine/permission";
import type { Server } from "../server";
import type { Reads } from "./client";
import * as endpoints from "./endpoints";
import { maskAnswer } from "./mask-answer";

const ANSWERS: Record<keyof Reads, z.ZodType> = {
  runs: endpoints.listRuns.answer,
  runCounts: endpoints.countRuns.answer,
  runHistogram: endpoints.runHistogram.answer,
  run: endpoints.getRun.answer,
  steps: endpoints.listSteps.answer,
  step: endpoints.getStep.answer,
  runLog: endpoints.listRunLog.answer,
  children: endpoints.listChildren.answer,
  runEffects: endpoints.listRunEffects.answer,
  effects: endpoints.listEffects.answer,
  overview: endpoints.getOverview.answer,
  flow: endpoints.getFlow.answer,
  workflowFlow: endpoints.getWorkflowFlow.answer,
  databaseHealth: endpoints.getDatabaseHealth.answer,
  compensations: endpoints.listCompensations.answer,
  compensationCounts: endpoints.countCompensations.answer,
  approvals: endpoints.listApprovals.answer,
  workers: endpoints.listWorkers.answer,
  workflows: endpoints.listWorkflows.answer,
  retention: endpoints.getRetention.answer,
  audit: endpoints.listAudit.answer,
  auditChain: endpoints.verifyAudit.answer,
  schedules: endpoints.listSchedules.answer,
  schedule: endpoints.getSchedule.answer,
  backfillPreview: endpoints.previewBackfill.answer,
  search: endpoints.search.answer,
  problems: endpoints.listProblems.answer,
  problem: endpoints.getProblem.answer,
  plan: endpoints.getPlan.answer,
  planApprovals: endpoints.listPlanApprovals.answer,
  planItems: endpoints.listPlanItems.answer,
  operations: endpoints.listOperations.answer,
  operation: endpoints.getOperation.answer,
  operationItems: endpoints.listOperationItems.answer,
};

/** Those whose first parameter is a run's id. */
const OF_A_RUN: ReadonlySet<string> = new Set<keyof Reads>([
  "run",
  "steps",
  "step",
  "runLog",
  "children",
  "runEffects",
]);

/** For pages that are rendered here: what the wrapper of routes does to the same reads over HTTP. */
export function maskedReads(db: Server["db"], reads: Reads, asker: Permissions): Reads {
  const names = Object.keys(ANSWERS) as (keyof Reads)[];
  return Object.fromEntries(
    names.map((name) => {
      const read = reads[name] as (...asked: unknown[]) => Promise<unknown>;
      const answered = ([id]: unknown[]) => ({
        sees: seesMasked(asker),
        about: OF_A_RUN.has(name) ? { runId: id } : {},
      });
      return [
        name,
        async (...asked: unknown[]) => maskAnswer(db, ANSWERS[name], await read(...asked), answered(asked)),
      ];
    }),
  ) as unknown as Reads;
}
