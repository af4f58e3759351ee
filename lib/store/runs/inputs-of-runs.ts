import type { Db, Statement } from "../db";
import { opened } from "../payloads";

const statement: Statement = {
  name: "inputs-of-runs",
  text: "select id::text, input from handrail.run where id = any ($1::uuid[]) and erased_at is null",
};

/** Those that were deleted or erased are left out. @throws HandrailError `payload_locked` */
export async function inputsOfRuns(db: Db, ids: readonly string[]): Promise<{ id: string; input: string }[]> {
  const rows = await db.query<{ id: string; input: string }>(statement, [ids]);
  return rows.map(({ id, input }) => ({ id, input: opened([id, "input"], input) }));
}
