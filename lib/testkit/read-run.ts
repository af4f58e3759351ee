import type { Pool } from "pg";
import type { Blobs } from "../blobs/blobs";
import type { Attention, RunStatus, WaitKind } from "../engine/runs/run";
import type { StepStatus } from "../engine/steps/step";
import { decodeValue } from "../engine/values/codec";
import type { SerializedError } from "../engine/values/serialized-error";
import { opened, openedStep } from "../store/payloads";
import { inSchema } from "../store/schema";

/** A run as tests read it. */
export interface TestRun {
  status: RunStatus;
  /** Why it needs attention. */
  attention: Attention | null;
  waitingFor: { kind: WaitKind; step: string | null } | null;
  output: unknown;
  error: SerializedError | null;
  /** In the order in which they were begun; without superseded ones. */
  steps: TestStep[];
}

export interface TestStep {
  name: string;
  status: StepStatus;
  /** How often its body was begun. */
  attempt: number;
  output: unknown;
  error: SerializedError | null;
}

interface RunRow extends Omit<TestRun, "output" | "error" | "waitingFor" | "steps"> {
  kind: WaitKind | null;
  step: string | null;
  output: string | null;
  error: string | null;
}
type StepRow = Omit<TestStep, "output" | "error"> & { generation: number; output: string | null; error: string | null };

/** @param blobs without them, there are no values over 1 MiB. @throws when there is no such run */
export async function readTestRun(pool: Pool, runId: string, blobs?: Blobs): Promise<TestRun> {
  const { rows } = await pool.query<RunRow>(
    inSchema(
      "select status, attention, waiting_kind as kind, waiting_step as step, output, error from handrail.run where id = $1",
    ),
    [runId],
  );
  const [run] = rows;
  if (!run) throw new Error(`There is no run ${runId}.`);
  const { rows: steps } = await pool.query<StepRow>(
    inSchema(`select name, generation, status, attempt, output, error from handrail.step
     where run_id = $1 and superseded_by is null order by position`),
    [runId],
  );
  const { kind, step, error, ...facts } = run;
  const place = [runId, "output"] as const;
  const stored = opened(place, run.output);
  const output = stored && blobs ? await blobs.loaded(place, stored) : stored;
  return {
    ...facts,
    waitingFor: kind && { kind, step },
    ...decoded({ output, error }),
    steps: await Promise.all(
      steps.map(async (row) => {
        const { generation, ...step } = openedStep(runId, row);
        if (!step.output || !blobs) return decoded(step);
        return decoded({ ...step, output: await blobs.loaded([runId, "step", step.name, generation], step.output) });
      }),
    ),
  };
}

function decoded<Row extends { output: string | null; error: string | null }>(row: Row) {
  return {
    ...row,
    output: row.output === null ? null : decodeValue(row.output),
    error: row.error === null ? null : (JSON.parse(row.error) as SerializedError),
  };
}
