import { createHash, randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, inject, it } from "vitest";
import { freePort } from "../../../scripts/ports";
import { VERSION } from "../../engine/version";
import { migrate } from "./migrate";
import { migrationScript } from "./script";

/** As the baseline makes it. */
const HISTORY =
  "create schema handrail; create table handrail.migration (name text primary key, online boolean not null, applied_at timestamptz not null default now());";
const FIRST = ["20260101000000_first", `${HISTORY} create table thing (id int primary key);`] as const;
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

it("keeps what was applied, with its checksum and the version that applied it", async () => {
  await migrateNow();
  const sum = createHash("sha256").update(FIRST[1]).digest("hex");
  expect(await query("select name, checksum, online, version from handrail.migration")).toEqual([
    FIRST[0],
    sum,
    false,
    VERSION,
  ]);
});

it("leaves nothing of a first migration that is killed", async () => {
  await write([FIRST[0], `${FIRST[1]} select pg_sleep(60);`]);
  await query(`create database ${database}`, inject("postgresUrl"));
  const migrating = migrateNow().catch((error: Error) => error.message);
  const busy =
    "select pid from pg_stat_activity where datname = current_database() and query like '%pg_sleep(60)%' and pid <> pg_backend_pid()";
  await expect.poll(() => query(busy), { timeout: 10_000 }).toHaveLength(1);
  await query(`select pg_terminate_backend(pid) from (${busy}) busy`);
  expect(await migrating).toContain(FIRST[0]);
  await write(FIRST);
  expect(await migrateNow()).toEqual({ applied: [FIRST[0]] });
});

it("refuses a database that is newer than the code", async () => {
  await write(SECOND);
  await migrateNow();
  await rm(path.join(directory, SECOND[0]), { recursive: true });
  await expect(migrateNow()).rejects.toMatchObject({
    code: "database_newer",
    message: expect.stringMatching(/20260102000000_second.*does not know.*Start the newer version/),
    details: { migration: SECOND[0] },
  });
});

it("makes nothing outside of its own schema", async () => {
  await migrate(url());
  const elsewhere = `select relname from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname not in ('handrail', 'information_schema') and nspname !~ '^pg_'`;
  expect(await query(elsewhere)).toEqual([]);
  expect(await query("select nspname from pg_namespace where nspname !~ '^pg_' order by 1")).toEqual([
    "handrail",
    "information_schema",
    "public",
  ]);
});

it("refuses a migration that was edited after it was applied", async () => {
  await migrateNow();
  await write([FIRST[0], `${FIRST[1]} -- edited`]);
  await expect(migrateNow()).rejects.toMatchObject({
    code: "migration_edited",
    message: expect.stringMatching(/20260101000000_first.*was edited.*a new migration/),
    details: { migration: FIRST[0] },
  });
});

it("doesn't take other line ends for an edit", async () => {
  await write([FIRST[0], `${HISTORY} create table thing (\n  id int\n);\n`]);
  await migrateNow();
  await write([FIRST[0], `${HISTORY} create table thing (\r\n  id int\r\n);\r\n`]);
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

it("knows its tables, also for a user with a schema of the same name", async () => {
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

it("a role that owns the schema may migrate, and create none; likewise by the SQL that is printed", async () => {
  const owner = { name: `o_${database}`, password: "secret" };
  const admin = inject("postgresUrl");
  await query(`create role ${owner.name} login password '${owner.password}'`, admin);
  await query(`create database ${database}`, admin);
  await query(`revoke create on database ${database} from public`);
  await query(`create schema handrail authorization ${owner.name}`);
  expect((await migrate(url(owner))).applied[0]).toContain("baseline");
  expect(await migrationScript(undefined)).not.toMatch(/^create schema/m);
  await query(`drop database ${database} with (force)`, admin);
  await query(`drop role ${owner.name}`, admin);
});

it("says which server it did not reach, and nothing of the password", async () => {
  const nowhere = `postgresql://someone:secret@127.0.0.1:${await freePort()}/handrail`;
  const refused = await migrate(nowhere, { directory }).catch((error: Error) => error.message);
  expect(refused).toMatch(/^The database at 127\.0\.0\.1:\d+ can't be used: .*Check DATABASE_URL/);
  expect(refused).not.toContain("secret");
});
