import type { Db, Statement } from "../db";

/** Which value of a run. */
export type ValuePart = "input" | "output" | "step";

export interface StoredValueRow {
  workflow: string;
  /** As it is stored; null: there is no such value. */
  text: string | null;
  /** Of the step; null for a value of the run. */
  generation: number | null;
}

const statement: Statement = {
  name: "stored-value",
  text: `
    select run.workflow, step.generation,
      case $2 when 'input' then run.input when 'output' then run.output else step.output end as text
    from handrail.run
    left join lateral (
      select generation, output from handrail.step
      where $2 = 'step' and run_id = run.id and name = $3 and ($4::int is null or generation = $4::int)
      order by generation desc limit 1
    ) as step on true
    where run.id = $1::uuid`,
};

/** Undefined: there is no such run. @param generation of the step; absent: its last one */
export async function selectStoredValue(
  db: Db,
  runId: string,
  { part, step, generation }: { part: ValuePart; step?: string | undefined; generation?: number | undefined },
): Promise<StoredValueRow | undefined> {
  const [row] = await db.query<StoredValueRow>(statement, [runId, part, step ?? null, generation ?? null]);
  return row;
}
