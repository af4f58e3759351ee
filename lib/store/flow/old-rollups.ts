import { ROLLUP_LEVELS } from "../../engine/flow/rollup";
import type { Db, Statement } from "../db";

/** A running fold writes nothing that old. */
const SPARED_MS = 3_600_000;

/** Of each level and table this many at a time, oldest first, along an index. */
const OLD = (table: string, key: string) =>
  ROLLUP_LEVELS.map(
    ({ minutes, keptMs }) => `
      (select ${key} from handrail.${table}
        where minutes = ${minutes} and at < (select clock_timestamp()) - interval '${keptMs + SPARED_MS} ms' order by at limit $1::int)`,
  ).join(" union all ");

const RUN_KEY = "minutes, at, workflow, version";
const STEP_KEY = "workflow, minutes, at, version, step";

const deleteStatement: Statement = {
  name: "delete-old-rollups",
  text: `
    with of_runs as (
      delete from handrail.run_rollup where (${RUN_KEY}) in (${OLD("run_rollup", RUN_KEY)}) returning 1
    ), of_steps as (
      delete from handrail.step_rollup where (${STEP_KEY}) in (${OLD("step_rollup", STEP_KEY)}) returning 1
    )
    select greatest((select count(*) from of_runs), (select count(*) from of_steps))::int as deleted`,
};

/** Deletes expired counts; returns how many, `limit` or more if there may be others. */
export async function deleteOldRollups(db: Db, limit: number): Promise<number> {
  const [row] = await db.query<{ deleted: number }>(deleteStatement, [limit]);
  return row?.deleted ?? 0;
}
