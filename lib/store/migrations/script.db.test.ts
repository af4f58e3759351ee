import { randomUUID } from "node:crypto";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { readCatalog } from "../../../scripts/postgres/catalog";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { aRegisteredWorker } from "../../testing/rows/claims";
import { migrationsFolder } from "../database/known-migrations";
import { poolDb } from "../db";
import { migrate } from "./migrate";
import { migrationScript } from "./script";

const database = `script_${randomUUID().replaceAll("-", "")}`;
const url = Object.assign(new URL(inject("postgresUrl")), { pathname: `/${database}` }).href;
const HISTORY = "select name, checksum, online, version from handrail.migration order by name";
const UP_TO_DATE = "-- The database is up to date.\n";

let migrated: TestDatabase;
let directory: string;
beforeAll(async () => {
  migrated = await createTestDatabase();
  directory = await mkdtemp(path.join(tmpdir(), "handrail-script-"));
  await cp(migrationsFolder(), directory, { recursive: true });
});
afterAll(async () => {
  await migrated.drop();
  await rm(directory, { recursive: true });
  await on(inject("postgresUrl"), (client) => client.query(`drop database if exists ${database} with (force)`));
});

async function on<Result>(databaseUrl: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  return work(client).finally(() => client.end());
}

/** As psql does: an index that is built beside writes is a statement by itself. */
async function applied(client: pg.Client, script: string): Promise<void> {
  for (const part of script.split(/^((?:create (?:unique )?|drop )index concurrently[^;]*;)/m))
    await client.query(part);
}
const historyOf = (databaseUrl: string) => on(databaseUrl, async (client) => (await client.query(HISTORY)).rows);
const catalogOf = (databaseUrl: string) => on(databaseUrl, readCatalog);

async function add(name: string, sql: string): Promise<void> {
  await mkdir(path.join(directory, name));
  await writeFile(path.join(directory, name, "migration.sql"), sql);
}

it("printed SQL makes of an empty database what a migration makes of it, with the same history", async () => {
  const script = await migrationScript(undefined);
  expect(await migrationScript(url)).toBe(script);
  await on(inject("postgresUrl"), (client) => client.query(`create database ${database}`));
  expect(await migrationScript(url)).toBe(script);
  await on(url, (client) => applied(client, script));
  expect(await catalogOf(url)).toEqual(await catalogOf(migrated.url));
  expect(await historyOf(url)).toEqual(await historyOf(migrated.url));
  expect(await migrate(url)).toEqual({ applied: [] });
  expect(await migrationScript(url)).toBe(UP_TO_DATE);
});

it("of a database of the version before it moves the history", async () => {
  const old = await createTestDatabase();
  await old.pool.query(await readFile("lib/testing/database/old-history.sql", "utf8"));
  await old.pool.query(
    "insert into public._prisma_migrations (id, checksum, migration_name) values ('1', 'x', 'theirs')",
  );
  const script = await migrationScript(old.url);
  expect((await old.pool.query("select from public._prisma_migrations")).rows).toHaveLength(3);
  await on(old.url, (client) => applied(client, script));
  expect(await catalogOf(old.url)).toEqual(await catalogOf(migrated.url));
  expect((await old.pool.query("select migration_name from public._prisma_migrations")).rows).toEqual([
    { migration_name: "theirs" },
  ]);
  await old.drop();
});

it("has only what the database lacks, and refuses while workers run that must not", async () => {
  await add("20990101000000_online", "-- handrail: online\nalter table handrail.run add column note text;\n");
  await add("20990101000001_drains", "-- handrail: drain\nalter table handrail.run add column other text;\n");
  const script = await migrationScript(migrated.url, directory);
  expect(script).not.toContain("create table");
  await aRegisteredWorker(poolDb(migrated.pool));
  await expect(on(migrated.url, (client) => client.query(script))).rejects.toThrow("Workers are running. Stop them");
  await migrated.pool.query("update handrail.worker set stopped_at = clock_timestamp()");
  const rest = await migrationScript(migrated.url, directory);
  expect(rest).not.toContain("20990101000000_online");
  await on(migrated.url, (client) => client.query(rest));
  expect(await migrationScript(migrated.url, directory)).toBe(UP_TO_DATE);
  await expect(migrationScript(migrated.url)).rejects.toMatchObject({ code: "database_newer" });
});

it("leaves an index that is built while everybody works outside of transactions", async () => {
  await add(
    "20990101000002_index",
    "-- handrail: online\ncreate index concurrently run_note on handrail.run (note);\n",
  );
  const script = await migrationScript(migrated.url, directory);
  expect(script).not.toContain("begin;");
  expect(script).toMatch(
    /create index concurrently run_note on handrail\.run \(note\);\n\ninsert into handrail\.migration/,
  );
});

it.each([true, false])(
  "goes on after an interruption that left an index, valid: %s, without its row",
  async (valid) => {
    await migrated.pool.query("delete from handrail.migration where name = '20990101000002_index'");
    await migrated.pool.query("create index if not exists run_note on handrail.run (note)");
    await migrated.pool.query("update pg_index set indisvalid = $1 where indexrelid = 'handrail.run_note'::regclass", [
      valid,
    ]);
    const script = await migrationScript(migrated.url, directory);
    await on(migrated.url, (client) => applied(client, script));
    expect(await migrationScript(migrated.url, directory)).toBe(UP_TO_DATE);
    const { rows } = await migrated.pool.query(
      "select indisvalid as valid from pg_index where indexrelid = 'handrail.run_note'::regclass",
    );
    expect(rows).toEqual([{ valid: true }]);
  },
);

it("drops an index that is gone already, under a role whose statements, and waits for locks, may take a moment", async () => {
  await add("20990101000003_no_index", "-- handrail: online\ndrop index concurrently handrail.run_note;\n");
  await migrated.pool.query("drop index handrail.run_note");
  const script = await migrationScript(migrated.url, directory);
  const shown = await on(migrated.url, async (client) => {
    await client.query("set statement_timeout = '30s'; set lock_timeout = '30s'");
    await applied(client, script);
    const limits = "current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock";
    return (await client.query(`select ${limits}`)).rows;
  });
  expect(shown).toEqual([{ statement: "0", lock: "0" }]);
  expect(await migrationScript(migrated.url, directory)).toBe(UP_TO_DATE);
});
