import { unknownRun } from "../../engine/errors";
import { percentile } from "../../engine/flow/histogram";
import type { Db } from "../../store/db";
import { type StepFlowRow, selectStepFlow } from "../../store/reads/flow";
import { selectGoodRun } from "../../store/reads/run-steps";
import { asInstant } from "../values";

/** Periods of six hours: a week of them has few rows, and they are kept longer than runs usually are. */
const MINUTES = 360;
const PERIOD_MS = MINUTES * 60_000;
const BEFORE_MS = 7 * 86_400_000;
/** Of the run's own period the next one is read as well: a workflow may be new. */
const AFTER_MS = 2 * PERIOD_MS;
/** Fewer executions are no measure. */
const ENOUGH = 5;

/**
 * What is normal for each step around the time of a run, and a run that went well. @throws HandrailError `unknown_run`
 */
export async function readNormal(db: Db, runId: string) {
  const found = await selectGoodRun(db, runId);
  if (!found) throw unknownRun(runId);
  const { workflow, version, good_id, good_at } = found;
  const periodMs = Math.floor(Date.parse(asInstant(found.created_at)) / PERIOD_MS) * PERIOD_MS;
  const window = { fromMs: periodMs - BEFORE_MS, untilMs: periodMs + AFTER_MS };
  const asked = { minutes: MINUTES, ...window, pointMs: PERIOD_MS, workflows: [workflow], without: [] } as const;
  return {
    goodRun: good_id !== null && good_at !== null ? { runId: good_id, createdAt: asInstant(good_at) } : null,
    since: new Date(window.fromMs).toISOString(),
    until: new Date(window.untilMs).toISOString(),
    steps: normalOf(await selectStepFlow(db, workflow, asked), version),
    updatedAt: new Date().toISOString(),
  };
}

/** By the run's version where that has ended often enough, else by all of them. */
function normalOf(rows: readonly StepFlowRow[], version: number) {
  const enough = rows.filter((row) => row.step !== "" && row.executions >= ENOUGH);
  const own = new Map(enough.filter((row) => row.version === version).map((row) => [row.step, row]));
  return enough
    .filter((row) => row.version === null)
    .flatMap((all) => {
      const row = own.get(all.step) ?? all;
      const took = new Map(row.took);
      const [p50Ms, p95Ms] = [percentile(took, 0.5), percentile(took, 0.95)];
      return p50Ms === null || p95Ms === null
        ? []
        : [{ step: row.step, version: row.version, executions: row.executions, p50Ms, p95Ms }];
    });
}
