import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, inject, it } from "vitest";
import { readAdmission } from "../../lib/store/database/admission";
import {
  BEFORE_BASELINE,
  knownMigrations,
  MADE_BEFORE_BASELINE,
  SAMPLE_TABLES_ONCE,
} from "../../lib/store/database/known-migrations";
import { poolDb } from "../../lib/store/db";
import { freePort } from "../ports";
import { readCatalog } from "./catalog";
import { migrate } from "./migrate";

const FIRST = ["20260101000000_first", "create table thing (id int primary key);"] as const;
const SECOND = ["20260102000000_second", "alter table thing add name text;"] as const;

let database: string;
let directory: string;

beforeEach(async () => {
  database = `migrate_${randomUUID().replaceAll("-", "")}`;
  directory = await mkdtemp(path.join(tmpdir(), "handrail-migrations-"));
  await write(FIRST);
});

afterEach(async () => {
  await rm(directory, { recursive: true });
  await query(`drop database if exists ${database} with (force)`, inject("postgresUrl"));
});

async function write([name, sql]: readonly [string, string]): Promise<void> {
  await mkdir(path.join(directory, name), { recursive: true });
  await writeFile(path.join(directory, name, "migration.sql"), sql);
}

function url(user?: { name: string; password: string }): string {
  const address = new URL(inject("postgresUrl"));
  address.pathname = `/${database}`;
  if (user) Object.assign(address, { username: user.name, password: user.password });
  return address.href;
}

const query = (sql: string, databaseUrl = url()): Promise<unknown[]> =>
  withClient(async (client) => (await client.query({ text: sql, rowMode: "array" })).rows.flat(), databaseUrl);

async function withClient<Result>(work: (client: pg.Client) => Promise<Result>, databaseUrl = url()): Promise<Result> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const migrateNow = () => migrate(url(), { directory });

it("creates the database, applies what is new in the order of names, and nothing twice", async () => {
  await write(SECOND);
  expect(await migrateNow()).toEqual({ applied: [FIRST[0], SECOND[0]] });
  expect(await migrateNow()).toEqual({ applied: [] });
  await write(["20260103000000_third", "alter table thing add size int;"]);
  expect(await migrateNow()).toEqual({ applied: ["20260103000000_third"] });
});

it("lets one of three starters migrate, and the others wait", async () => {
  await write(SECOND);
  const all = await Promise.all([migrateNow(), migrateNow(), migrateNow()]);
  expect(all.flatMap(({ applied }) => applied)).toEqual([FIRST[0], SECOND[0]]);
});

it("waits for the lock that `prisma migrate` takes", async () => {
  await migrateNow();
  const prisma = new pg.Client({ connectionString: url() });
  await prisma.connect();
  await prisma.query("select pg_advisory_lock(72707369)");
  let done = false;
  const migrating = migrateNow().then(() => {
    done = true;
  });
  const asked =
    "select count(*)::int from pg_stat_activity where datname = current_database() and query like 'select pg_try_advisory_lock%' and pid <> pg_backend_pid()";
  await expect.poll(() => query(asked), { timeout: 10_000 }).toEqual([1]);
  expect(done).toBe(false);
  await prisma.end();
  await migrating;
});

it("refuses a half-migrated database until a person has said how it stands", async () => {
  await migrateNow();
  await write(SECOND);
  await query(`insert into _prisma_migrations (id, checksum, migration_name) values ('1', 'x', '${SECOND[0]}')`);
  await expect(migrateNow()).rejects.toThrow(`npx prisma migrate resolve --rolled-back ${SECOND[0]}`);
  await query("update _prisma_migrations set rolled_back_at = now() where id = '1'");
  expect(await migrateNow()).toEqual({ applied: [SECOND[0]] });
});

it("refuses a database that is newer than the code", async () => {
  await write(SECOND);
  await migrateNow();
  await rm(path.join(directory, SECOND[0]), { recursive: true });
  await expect(migrateNow()).rejects.toThrow(/20260102000000_second.*does not know.*Start the newer version/);
});

it("refuses a database from before the baseline, says what to do, and changes nothing in it", async () => {
  const old = [
    [
      BEFORE_BASELINE,
      "create schema handrail; create table handrail.migration (name text primary key, online boolean);",
    ],
    ["20261121000920_access", "-- handrail: online\ncreate table handrail.person (id uuid);"],
  ] as const;
  await rm(path.join(directory, FIRST[0]), { recursive: true });
  for (const migration of old) await write(migration);
  expect((await migrateNow()).applied).toEqual([BEFORE_BASELINE, "20261121000920_access"]);

  for (const [name] of old) await rm(path.join(directory, name), { recursive: true });
  await write([
    "20261122000000_baseline",
    "create schema if not exists handrail; create table handrail.run (id uuid);",
  ]);
  const everything = async () => [await withClient(readCatalog), await query("select * from _prisma_migrations")];
  const before = await everything();
  await expect(migrateNow()).rejects.toThrow(MADE_BEFORE_BASELINE);
  expect(await everything()).toEqual(before);
});

it("goes on with a database that has the sample tables in public, and leaves them", async () => {
  await rm(path.join(directory, FIRST[0]), { recursive: true });
  await write([SAMPLE_TABLES_ONCE, 'create table "order" (id text); insert into "order" values (\'A-1\');']);
  expect(await migrateNow()).toEqual({ applied: [SAMPLE_TABLES_ONCE] });
  expect((await migrate(url())).applied).toContain("20261122000000_baseline");
  expect(await migrate(url())).toEqual({ applied: [] });
  expect(await query('select id from "order"')).toEqual(["A-1"]);
  const pool = new pg.Pool({ connectionString: url(), max: 1 });
  const known = await knownMigrations("prisma/migrations");
  expect(await readAdmission(poolDb(pool), known)).toEqual({ draining: false, missing: [], foreign: [] });
  await pool.end();
});

it("makes nothing in public but the list of what was applied", async () => {
  await migrate(url());
  const made = "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind <> 'i' order by 1";
  expect(await query(made)).toEqual(["_prisma_migrations"]);
  expect(await query("select nspname from pg_namespace where nspname = 'demo'")).toEqual([]);
});

it("refuses a migration that was edited after it was applied", async () => {
  await migrateNow();
  await write([FIRST[0], `${FIRST[1]} -- edited`]);
  await expect(migrateNow()).rejects.toThrow(/20260101000000_first.*was edited.*a new migration/);
});

it("doesn't take other line ends for an edit", async () => {
  await write([FIRST[0], "create table thing (\n  id int\n);\n"]);
  await migrateNow();
  await write([FIRST[0], "create table thing (\r\n  id int\r\n);\r\n"]);
  expect(await migrateNow()).toEqual({ applied: [] });
});

it("leaves nothing of a migration that fails, and says where it failed", async () => {
  await write([SECOND[0], "alter table thing add name text;\nalter table nothing add x int;\n"]);
  await expect(migrateNow()).rejects.toThrow(/"20260102000000_second" failed.*"nothing" does not exist/);
  await write(SECOND);
  expect(await migrateNow()).toEqual({ applied: [SECOND[0]] });
});

it("names the line where the server names a position", async () => {
  await write([SECOND[0], "select 1;\nselect 2;\nselekt 3;\n"]);
  await expect(migrateNow()).rejects.toThrow('"20260102000000_second" failed, line 3');
});

it("applies what can't run in a transaction", async () => {
  await write([SECOND[0], "-- Without blocking writers.\ncreate index concurrently thing_id on thing (id);"]);
  expect(await migrateNow()).toEqual({ applied: [FIRST[0], SECOND[0]] });
});

it("keeps its records in public, also for a user with a schema of the same name", async () => {
  const user = { name: `u_${database}`, password: "secret" };
  const admin = inject("postgresUrl");
  await query(`create role ${user.name} login password '${user.password}'`, admin);
  await query(`create database ${database} owner ${user.name}`, admin);
  await write([SECOND[0], `create schema ${user.name};`]);
  expect((await migrate(url(user), { directory })).applied).toHaveLength(2);
  expect((await migrate(url(user), { directory })).applied).toEqual([]);
  await query(`drop database ${database} with (force)`, admin);
  await query(`drop role ${user.name}`, admin);
});

it("says which server it did not reach, and nothing of the password", async () => {
  const nowhere = `postgresql://someone:secret@127.0.0.1:${await freePort()}/handrail`;
  const refused = await migrate(nowhere, { directory }).catch((error: Error) => error.message);
  expect(refused).toMatch(/^The database at 127\.0\.0\.1:\d+ can't be used: .*Check DATABASE_URL/);
  expect(refused).not.toContain("secret");
});
