import pg from "pg";
import { HandrailError } from "../../engine/errors";
import { USUAL_SCHEMA } from "../../engine/schema-name";
import { BEFORE_BASELINE, SAMPLE_TABLES_ONCE } from "../database/known-migrations";
import { schemaName } from "../schema";
import { checksum, type Migration } from "./files";
import { type Applied, COMPLETE_HISTORY, readHistory, type Sql, stateOfHistory, stillToApply } from "./history";

/*
 * Before the history was in `handrail`, the list of what was applied was Prisma's, `public._prisma_migrations`, which an
 * app that migrates with Prisma shares. Its rows of Handrail's migrations are taken over once, and removed there.
 */

/** A row of the old list. */
interface Listed {
  name: string;
  checksum: string;
  finishedAt: string | null;
  rolledBack: boolean;
}

/** A row of `handrail.migration` as the baseline makes it. */
interface Declared {
  name: string;
  online: boolean;
  appliedAt: string;
}

interface Old {
  /** Null: there is no such list. */
  list: Listed[] | null;
  declared: Declared[];
}

type Row = Applied & { appliedAt: string };

/** What a database says of its migrations. */
export interface Found {
  applied: Applied[];
  /** The statements that take the history over, to be executed in one transaction; empty where there is nothing to take over. */
  takeover: string;
}

/** @throws HandrailError as `stillToApply`; `unavailable` when a migration of the old list did not finish */
export async function lookAt(db: Sql, migrations: readonly Migration[]): Promise<Found> {
  const state = await stateOfHistory(db);
  if (state === "complete") return { applied: await readHistory(db), takeover: "" };
  const old: Old = { list: await readList(db), declared: state === "none" ? [] : await readDeclared(db) };
  const ours = (old.list ?? []).filter(({ name }) => isOurs(name, migrations, old));
  const rows = ours.length > 0 ? ours.flatMap((row) => rowOf(row, migrations, old)) : ofCopy(migrations, old);
  stillToApply(migrations, rows);
  const statements = state === "none" ? [] : [completed(rows)];
  if (ours.length > 0) statements.push(ours.length === old.list?.length ? DROPPED : removed(ours));
  // The rows of tables that were dropped are left behind in the list.
  return { applied: state === "none" ? [] : rows, takeover: statements.join("") };
}

const isOurs = (name: string, migrations: readonly Migration[], { declared }: Old) =>
  [SAMPLE_TABLES_ONCE, BEFORE_BASELINE].includes(name) || [...migrations, ...declared].some((one) => one.name === name);

/** Nothing for a row that does not count: it was rolled back, or only made tables that nobody reads any more. */
function rowOf(row: Listed, migrations: readonly Migration[], { declared }: Old): Row[] {
  const { name, finishedAt } = row;
  if (row.rolledBack || name === SAMPLE_TABLES_ONCE) return [];
  const known = migrations.find((migration) => migration.name === name);
  const online = declared.find((said) => said.name === name)?.online ?? known?.online ?? false;
  if (finishedAt !== null) return [{ name, checksum: row.checksum, online, appliedAt: finishedAt }];
  if (known?.concurrentIndex) return []; // a half-built index is harmless, and is rebuilt
  throw new HandrailError(
    "unavailable",
    `The migration "${name}" was begun and did not finish, so that the database may be half-migrated. Look at what is there ` +
      "(public._prisma_migrations has the error in its column logs), put it right, and say how it stands: " +
      `\`npx prisma migrate resolve --rolled-back ${name}\` to have it applied again, or --applied to keep it.`,
  );
}

/** Of a copy of the schema `handrail` alone, the names are there, and the files have the checksums. */
const ofCopy = (migrations: readonly Migration[], { declared }: Old): Row[] =>
  declared.map((row) => {
    const file = migrations.find(({ name }) => name === row.name);
    return { ...row, checksum: file ? checksum(file.sql) : "" };
  });

async function readDeclared(db: Sql): Promise<Declared[]> {
  const { rows } = await db.query<Declared>(
    'select name, online, applied_at::text as "appliedAt" from handrail.migration',
  );
  return rows;
}

async function readList(db: Sql): Promise<Listed[] | null> {
  if (schemaName() !== USUAL_SCHEMA) return null; // the list is older than other names
  const { rows: found } = await db.query("select to_regclass('public._prisma_migrations') is not null as there");
  if (!found[0].there) return null;
  const { rows } = await db.query<Listed>(`
    select migration_name as name, checksum, finished_at::text as "finishedAt", rolled_back_at is not null as "rolledBack"
    from public._prisma_migrations order by started_at`);
  return rows;
}

const completed = (rows: readonly Row[]) => `
delete from handrail.migration;${COMPLETE_HISTORY}${rows.map(inserted).join("\n")}
`;

const inserted = ({ name, checksum, online, appliedAt }: Row) => {
  const [named, sum, at] = [name, checksum, appliedAt].map(pg.escapeLiteral);
  return `insert into handrail.migration (name, online, checksum, applied_at) values (${named}, ${online}, ${sum}, ${at});`;
};

const removed = (rows: readonly Listed[]) => `
delete from public._prisma_migrations where migration_name in (${rows.map(({ name }) => pg.escapeLiteral(name)).join(", ")});
`;

const DROPPED = `
drop table public._prisma_migrations;
`;
