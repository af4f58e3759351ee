import type { Db, Statement } from "../db";
import { shown } from "../payloads";

interface Row {
  id: string;
  part: "input" | "output";
  text: string;
}

/** Newest run first, up to `$4` bytes in total; no text is read to find its length. */
const statement: Statement = {
  name: "long-values",
  text: `
    select run.id, weighed.part, case weighed.part when 'input' then run.input else run.output end as text
    from (
      select id, part, sum(bytes) over (order by id desc, part) as together
      from (
        select run.id, value.part, octet_length(value.text) as bytes
        from handrail.run cross join lateral (values ('input', run.input), ('output', run.output)) as value (part, text)
        where run.id = any ($1::uuid[]) and value.part = any ($2::text[]) and octet_length(value.text) > $3::int
      ) as long
    ) as weighed
    join handrail.run on run.id = weighed.id
    where weighed.together <= $4::int`,
};

/** Values that a list leaves out for their length, decrypted, up to `atMost` bytes in total. */
export async function selectLongValues(
  db: Db,
  runIds: readonly string[],
  parts: readonly Row["part"][],
  { longerThan, atMost }: { longerThan: number; atMost: number },
): Promise<Row[]> {
  const rows = await db.query<Row>(statement, [runIds, parts, longerThan, atMost]);
  return rows.map((row) => ({ ...row, text: shown([row.id, row.part], row.text) }));
}
