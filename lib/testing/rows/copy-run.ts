import type { ClientBase, Pool } from "pg";

/**
 * Copies of a run, without its steps and its idempotency key: many in one statement. Returns their ids, which begin with this
 * instant, a millisecond each.
 */
export async function copyRun(
  db: Pool | ClientBase,
  runId: string,
  { count, firstMs }: { count: number; firstMs: number },
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `insert into handrail.run select copy.*
     from (select * from handrail.run where id = $1) as run, generate_series(1, $2) as n,
       jsonb_populate_record(null::handrail.run, to_jsonb(run) || jsonb_build_object('idempotency_key', null,
         'id', lpad(to_hex($3::bigint + n), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))) as copy
     returning id::text`,
    [runId, count, firstMs],
  );
  return rows.map(({ id }) => id);
}
