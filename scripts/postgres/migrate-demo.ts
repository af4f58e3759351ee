import { readdir, readFile } from "node:fs/promises";
import pg from "pg";
import { StartError } from "../start-error";

const DIRECTORY = new URL("../../demo/migrations/", import.meta.url);
/** In the comment of the schema, which goes with the schema; the list in `public` is of migrations that everybody has. */
const RECORD = /^The tables of Handrail's sample workflows, as of (\w+)$/;

/**
 * Brings the sample workflows' tables up to date, in the schema `demo`, which only the demo, development and tests have.
 * Does nothing where they are; several processes may call it at once.
 * @param directory where the demo's migrations are, with a slash at its end
 * @throws StartError if the database has another program's schema of that name
 */
export async function migrateDemo(databaseUrl: string, directory: URL = DIRECTORY): Promise<{ applied: string[] }> {
  const files = (await readdir(directory)).filter((file) => file.endsWith(".sql")).sort();
  const names = files.map((file) => file.slice(0, -".sql".length));
  const db = new pg.Client({ connectionString: databaseUrl });
  await db.connect();
  try {
    await db.query("begin; select pg_advisory_xact_lock(hashtext('handrail: schema demo'))");
    const latest = await latestIn(db);
    const applied = names.filter((name) => name > latest);
    for (const name of applied) await db.query(await readFile(new URL(`${name}.sql`, directory), "utf8"));
    if (applied.length > 0)
      await db.query(`comment on schema demo is 'The tables of Handrail''s sample workflows, as of ${applied.at(-1)}'`);
    await db.query("commit");
    return { applied };
  } finally {
    await db.end();
  }
}

/** Empty: there is no such schema. */
async function latestIn(db: pg.Client): Promise<string> {
  const { rows } = await db.query<{ comment: string | null }>(
    "select obj_description(oid, 'pg_namespace') as comment from pg_namespace where nspname = 'demo'",
  );
  if (!rows[0]) return "";
  const latest = RECORD.exec(rows[0].comment ?? "")?.[1];
  if (latest) return latest;
  throw new StartError(
    'The database has a schema "demo" that the demo has not made. Let DATABASE_URL name another database, or leave the demo out.',
  );
}
