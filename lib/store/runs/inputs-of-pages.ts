import type { Db, Statement } from "../db";
import { opened } from "../payloads";

const statement: Statement = {
  name: "inputs-of-pages",
  text: `
    select id::text as "runId", parent_step as step, input from handrail.run
    where parent_run_id = $1::uuid and parent_step = any ($2::text[]) and page_of is not null and erased_at is null
    order by parent_key_generation`,
};

/** Of the pages that these steps have started, the latest last; deleted and erased ones are left out. @throws HandrailError `payload_locked` */
export async function inputsOfPages(
  db: Db,
  runId: string,
  steps: readonly string[],
): Promise<{ runId: string; step: string; input: string }[]> {
  const rows = await db.query<{ runId: string; step: string; input: string }>(statement, [runId, steps]);
  return rows.map((row) => ({ ...row, input: opened([row.runId, "input"], row.input) }));
}
