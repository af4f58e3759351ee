import { addHistogram, storedHistogram } from "../../engine/flow/histogram";
import type { RollupTally, RunRollup, StepRollup } from "../../engine/flow/rollup";
import type { Db, Statement } from "../db";

/*
 * The statements of a fold, in its one transaction, under the lock of lockRollups: there is no other writer of these
 * rows, so that they can be read, added to and written back.
 */

interface StoredRow {
  place: number;
  tookBuckets: number[];
  tookCounts: number[];
  queuedBuckets?: number[];
  queuedCounts?: number[];
}

const GIVEN_KEY = `minutes smallint, "atMs" float8, workflow text, version int`;
const SAME_KEY = (table: string) =>
  `${table}.minutes = given.minutes and ${table}.at = to_timestamp(given."atMs" / 1000) and ${table}.workflow = given.workflow and ${table}.version = given.version`;

const readRunsStatement: Statement = {
  name: "histograms-of-run-rollups",
  text: `
    select given.place, took_buckets as "tookBuckets", took_counts as "tookCounts", queued_buckets as "queuedBuckets",
      queued_counts as "queuedCounts"
    from jsonb_to_recordset($1::jsonb) as given (place int, ${GIVEN_KEY})
    join handrail.run_rollup on ${SAME_KEY("run_rollup")}`,
};

const writeRunsStatement: Statement = {
  name: "write-run-rollups",
  text: `
    insert into handrail.run_rollup (minutes, at, workflow, version, started, completed, failed, cancelled, compensated, retries,
      took_buckets, took_counts, queued_buckets, queued_counts)
    select minutes, to_timestamp("atMs" / 1000), workflow, version, started, completed, failed, cancelled, compensated, retries,
      "tookBuckets", "tookCounts", "queuedBuckets", "queuedCounts"
    from jsonb_to_recordset($1::jsonb) as given (${GIVEN_KEY}, started int, completed int, failed int, cancelled int, compensated int,
      retries int, "tookBuckets" smallint[], "tookCounts" int[], "queuedBuckets" smallint[], "queuedCounts" int[])
    on conflict (minutes, at, workflow, version) do update set
      started = run_rollup.started + excluded.started, completed = run_rollup.completed + excluded.completed,
      failed = run_rollup.failed + excluded.failed, cancelled = run_rollup.cancelled + excluded.cancelled,
      compensated = run_rollup.compensated + excluded.compensated, retries = run_rollup.retries + excluded.retries,
      took_buckets = excluded.took_buckets, took_counts = excluded.took_counts,
      queued_buckets = excluded.queued_buckets, queued_counts = excluded.queued_counts`,
};

const readStepsStatement: Statement = {
  name: "histograms-of-step-rollups",
  text: `
    select given.place, took_buckets as "tookBuckets", took_counts as "tookCounts"
    from jsonb_to_recordset($1::jsonb) as given (place int, ${GIVEN_KEY}, step text)
    join handrail.step_rollup on ${SAME_KEY("step_rollup")} and step_rollup.step = given.step`,
};

const writeStepsStatement: Statement = {
  name: "write-step-rollups",
  text: `
    insert into handrail.step_rollup (minutes, at, workflow, version, step, executions, failures, retries, took_buckets, took_counts)
    select minutes, to_timestamp("atMs" / 1000), workflow, version, step, executions, failures, retries, "tookBuckets", "tookCounts"
    from jsonb_to_recordset($1::jsonb) as given (${GIVEN_KEY}, step text, executions int, failures int, retries int,
      "tookBuckets" smallint[], "tookCounts" int[])
    on conflict (workflow, minutes, at, version, step) do update set
      executions = step_rollup.executions + excluded.executions, failures = step_rollup.failures + excluded.failures,
      retries = step_rollup.retries + excluded.retries,
      took_buckets = excluded.took_buckets, took_counts = excluded.took_counts`,
};

/** Adds the tally to the stored rows. The tally's histograms hold both afterwards. */
export async function addRollups(tx: Db, { runs, steps }: RollupTally): Promise<void> {
  if (runs.length > 0) {
    for (const { place, ...there } of await tx.query<StoredRow>(readRunsStatement, [keysOf(runs)])) {
      const { took, queued } = runs[place] as RunRollup;
      addHistogram(took, { buckets: there.tookBuckets, counts: there.tookCounts });
      addHistogram(queued, { buckets: there.queuedBuckets ?? [], counts: there.queuedCounts ?? [] });
    }
    await tx.query(writeRunsStatement, [JSON.stringify(runs.map(runRow))]);
  }
  if (steps.length > 0) {
    for (const { place, ...there } of await tx.query<StoredRow>(readStepsStatement, [keysOf(steps)]))
      addHistogram((steps[place] as StepRollup).took, { buckets: there.tookBuckets, counts: there.tookCounts });
    await tx.query(writeStepsStatement, [JSON.stringify(steps.map(stepRow))]);
  }
}

const keysOf = (rows: readonly (RunRollup | StepRollup)[]): string =>
  JSON.stringify(rows.map(({ took: _, ...row }, place) => ({ place, ...row, queued: undefined })));

const tookOf = ({ took }: RunRollup | StepRollup) => {
  const { buckets, counts } = storedHistogram(took);
  return { tookBuckets: buckets, tookCounts: counts };
};

function runRow({ queued, took, ...row }: RunRollup) {
  const { buckets, counts } = storedHistogram(queued);
  return { ...row, ...tookOf({ queued, took, ...row }), queuedBuckets: buckets, queuedCounts: counts };
}

const stepRow = ({ took, ...row }: StepRollup) => ({ ...row, ...tookOf({ took, ...row }) });

const namesStatement: Statement = {
  name: "names-of-rollup-steps",
  text: `select workflow, step from handrail.rollup_step where workflow = any ($1::text[])`,
};

export interface StepName {
  workflow: string;
  step: string;
}

export const listStepNames = (tx: Db, workflows: readonly string[]) => tx.query<StepName>(namesStatement, [workflows]);

const learnStatement: Statement = {
  name: "learn-rollup-steps",
  text: `
    insert into handrail.rollup_step (workflow, step)
    select workflow, step from jsonb_to_recordset($1::jsonb) as given (workflow text, step text) on conflict do nothing`,
};

export async function learnStepNames(tx: Db, names: readonly StepName[]): Promise<void> {
  if (names.length > 0) await tx.query(learnStatement, [JSON.stringify(names)]);
}
