import type { Db, Statement } from "../db";
import { opened } from "../payloads";

const readStatement: Statement = {
  name: "read-checkpoint",
  text: `
    select output from handrail.step
    where run_id = $1::uuid and name = $2 and generation = $3::int and status = 'completed'`,
};

/** The kept output of a step: resolves a commit whose answer was lost. */
export async function readCheckpoint(
  db: Db,
  runId: string,
  step: string,
  generation: number,
): Promise<string | undefined> {
  const [row] = await db.query<{ output: string }>(readStatement, [runId, step, generation]);
  return row && opened([runId, "step", step, generation], row.output);
}
