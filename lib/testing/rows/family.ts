import type { Pool } from "pg";
import { type History, untilEnded, untilResting, untilRun } from "../database/history";
import { until } from "../until";

/** Ids of the child runs of this one, oldest first. */
export async function childrenOf(pool: Pool, runId: string): Promise<string[]> {
  const { rows } = await pool.query("select id::text from handrail.run where parent_run_id = $1 order by id", [runId]);
  return rows.map(({ id }) => id);
}

/** Two children have ended, or one waits for a person; their parent has ended, or waits for that child. */
export async function untilFamilyRests(pool: Pool, runId: string): Promise<History> {
  const ids = await until("Both children", async () => {
    const found = await childrenOf(pool, runId);
    return found.length === 2 && found;
  });
  const children = await Promise.all(ids.map((id) => untilResting(pool, id)));
  if (children.every(({ run }) => run.status === "completed")) return untilEnded(pool, runId);
  return untilRun(pool, runId, ({ run }) => run.status === "waiting" && run.due_at === null);
}
