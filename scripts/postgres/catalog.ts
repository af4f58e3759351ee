import type pg from "pg";

/** A line of text for each object. The order of columns within a table is left out: nothing may depend on it. */
const CATALOG = `
  with ours as (
    select oid, nspname, nspacl from pg_namespace where nspname in ('handrail', 'public')
  ), relation as (
    select pg_class.*, oid::regclass::text as named from pg_class
    where relnamespace in (select oid from ours) and relname !~ '^_prisma_migrations'
  )
  select format('schema %s %s', nspname, nspacl) as line from ours
  union all
  select format('%s %s %s %s %s %s', case relkind when 'r' then 'table' when 'S' then 'sequence' else 'relation ' || relkind::text end,
    named, relpersistence, reloptions, relacl, obj_description(oid, 'pg_class'))
  from relation where relkind <> 'i'
  union all
  select format('column %s.%s %s%s%s%s default %s %s %s', named, attname, format_type(atttypid, atttypmod),
    case when attnotnull then ' not null' end, ' identity ' || nullif(attidentity::text, ''), ' generated ' || nullif(attgenerated::text, ''),
    pg_get_expr(adbin, adrelid), attacl, col_description(attrelid, attnum))
  from relation join pg_attribute on attrelid = relation.oid
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where relkind = 'r' and attnum > 0 and not attisdropped
  union all
  select format('constraint %s on %s %s%s', conname, named, pg_get_constraintdef(pg_constraint.oid),
    case when not convalidated then ' (some rows were never checked)' end)
  from relation join pg_constraint on conrelid = relation.oid
  union all
  select format('index %s%s', pg_get_indexdef(indexrelid), case when not indisvalid then ' (half-built)' end)
  from relation join pg_index on indrelid = relation.oid
  union all
  select format('sequence %s %s to %s, %s by %s, owned by %s', named, seqmin, seqmax, seqstart, seqincrement,
    (select format('%s.%s', refobjid::regclass, attname) from pg_depend join pg_attribute on attrelid = refobjid and attnum = refobjsubid
     where classid = 'pg_class'::regclass and objid = relation.oid and deptype in ('a', 'i')))
  from relation join pg_sequence on seqrelid = relation.oid
  union all
  select format('%s (%s)', pg_get_triggerdef(pg_trigger.oid), tgenabled)
  from relation join pg_trigger on tgrelid = relation.oid where not tgisinternal
  union all
  select format('%s %s', pg_get_functiondef(oid), proacl)
  from pg_proc where pronamespace in (select oid from ours)
  union all
  select format('type %s %s', oid::regtype, typtype) from pg_type
  where typnamespace in (select oid from ours) and typtype <> 'b' and typrelid = 0`;

/**
 * All that migrations make, as comparable lines in one order: two databases with the same lines have the same schema.
 * @param db a session whose search_path may change; `public` is read as well, without the list of applied migrations
 */
export async function readCatalog(db: Pick<pg.Client, "query">): Promise<string[]> {
  await db.query("set search_path to pg_catalog");
  const { rows } = await db.query<{ line: string }>(CATALOG);
  return rows.map(({ line }) => line).sort();
}
