import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

/** As Prisma has them: a folder named <timestamp>_<words> with one migration.sql. */
export type Migration = {
  name: string;
  sql: string;
  /**
   * Workers of earlier versions may continue while it is applied, and after it. Without the declaration they may not.
   */
  online: boolean;
  /** An index that is built or dropped while everybody works: not in a transaction, and the file's one statement. */
  concurrentIndex: { verb: "create" | "drop"; name: string; schema: string } | null;
};

/** In the order in which they are applied, which is that of their names. */
export async function readMigrations(directory: string): Promise<Migration[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(path.join(directory, name, "migration.sql"), "utf8");
      return { name, sql, online: declared(sql) === "online", concurrentIndex: concurrentIndexOf(sql) };
    }),
  );
}

/** What its first line says: `-- handrail: online` or `-- handrail: drain`. */
export function declared(sql: string): "online" | "drain" | undefined {
  return /^-- handrail: (online|drain)\r?\n/.exec(sql)?.[1] as "online" | "drain" | undefined;
}

/** For a session that migrates. PostgreSQL 16 and older have no `transaction_timeout`. */
export const NO_LIMITS = `set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0;
select set_config(name, '0', false) from pg_settings where name = 'transaction_timeout'`;

/** As it is sent: PostgreSQL asks for the right to create schemas also where there is the schema, and its owner may not have it. */
export const asSent = (sql: string): string =>
  sql.replace(
    /^create schema if not exists handrail;$/m,
    () =>
      "do $$ begin if to_regnamespace(quote_ident('handrail')) is null then create schema handrail; end if; end $$;",
  );

const BUILT =
  /^\s*create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?"?(\w+)"?\s+on\s+(?:only\s+)?(?:"?(\w+)"?\s*\.)?/im;
const DROPPED = /^\s*drop\s+index\s+concurrently\s+(?:if\s+exists\s+)?(?:"?(\w+)"?\s*\.\s*)?"?(\w+)/im;

function concurrentIndexOf(sql: string): Migration["concurrentIndex"] {
  const [, built, ofTable = "public"] = BUILT.exec(sql) ?? [];
  if (built) return { verb: "create", name: built, schema: ofTable };
  const [, schema = "public", dropped] = DROPPED.exec(sql) ?? [];
  return dropped ? { verb: "drop", name: dropped, schema } : null;
}

/** What the history has of a file. */
export function checksum(sql: string): string {
  return createHash("sha256").update(sql).digest("hex");
}

/** A checkout that turned the line ends isn't an edit. */
export function matches(sql: string, recorded: string): boolean {
  const unix = sql.replaceAll("\r\n", "\n");
  return [sql, unix, unix.replaceAll("\n", "\r\n")].some((text) => checksum(text) === recorded);
}
