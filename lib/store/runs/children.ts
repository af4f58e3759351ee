import type { RunStatus } from "../../engine/runs/run";
import type { Db, Statement } from "../db";
import { opened } from "../payloads";

/** How a child ended; only for ended ones. */
export interface ChildOutcome {
  id: string;
  workflow: string;
  status: Extract<RunStatus, "completed" | "failed" | "cancelled" | "compensated">;
  output: string | null;
  error: string | null;
}

// By their ids, whatever PostgreSQL has counted (decision 035): without the fence, a walk through all ended runs is a way, too.
const outcomesStatement: Statement = {
  name: "child-outcomes",
  text: `
    select id::text, workflow, status, output, error
    from (select * from handrail.run where id = any ($1::uuid[]) offset 0) as run
    where finished_at is not null`,
};

/** The ended ones of these runs. @throws HandrailError `payload_locked` */
export async function childOutcomes(db: Db, ids: readonly string[]): Promise<ChildOutcome[]> {
  const outcomes = await db.query<ChildOutcome>(outcomesStatement, [ids]);
  return outcomes.map((child) => ({ ...child, output: opened([child.id, "output"], child.output) }));
}

const childOfStepStatement: Statement = {
  name: "child-of-step",
  text: `
    select id::text from handrail.run
    where parent_run_id = $1::uuid and parent_step = $2 and parent_key_generation = $3::int`,
};

/** The run that this step has started under this generation of its key; undefined if there is none. */
export async function childOfStep(
  db: Db,
  runId: string,
  step: string,
  keyGeneration: number,
): Promise<string | undefined> {
  const [row] = await db.query<{ id: string }>(childOfStepStatement, [runId, step, keyGeneration]);
  return row?.id;
}
