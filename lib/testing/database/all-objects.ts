import type { Pool } from "pg";

/** Every catalogue of a database whose rows have an id: tables, functions, types, casts, settings for new objects, … */
const CATALOGUES = `
  select oid::regclass::text as name from pg_class
  where relnamespace = 'pg_catalog'::regnamespace and relkind = 'r' and not relisshared
    and exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'oid')`;

/** A line for each object in the database, and for each comment on one, in one order. */
export async function allObjects(db: Pick<Pool, "query">): Promise<string[]> {
  const { rows: catalogues } = await db.query<{ name: string }>(CATALOGUES);
  const objects = catalogues.map(
    ({ name }) => `select '${name}: ' || (pg_identify_object(tableoid, oid, 0)).identity as line from ${name}`,
  );
  const notes = `select format('comment %s', (pg_identify_object(classoid, objoid, objsubid)).identity) from pg_description`;
  const { rows } = await db.query<{ line: string }>([...objects, notes].join(" union all "));
  return rows.map(({ line }) => line).sort();
}
