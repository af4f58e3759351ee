import { readFile } from "node:fs/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readCatalog } from "../../../scripts/postgres/catalog";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { assertAdmitted } from "../../worker/loop/admission";
import {
  BEFORE_BASELINE,
  knownMigrations,
  MADE_BEFORE_BASELINE,
  SAMPLE_TABLES_ONCE,
} from "../database/known-migrations";
import { poolDb } from "../db";
import { migrate } from "./migrate";

const OLD = ["20261122000000_baseline", "20261123030000_snooze"];

let database: TestDatabase;
/** What a new installation has. */
let anew: string[];
beforeEach(async () => {
  database = await createTestDatabase();
  anew = await catalog();
  await database.pool.query(await readFile("lib/testing/database/old-history.sql", "utf8"));
});
afterEach(() => database.drop());

const rows = async (sql: string) => (await database.pool.query({ text: sql, rowMode: "array" })).rows.flat();
const list = () => rows("select migration_name from public._prisma_migrations order by 1");
const isListThere = async () => (await rows("select to_regclass('public._prisma_migrations') is not null"))[0];

async function catalog(): Promise<string[]> {
  const client = await database.pool.connect();
  return readCatalog(client).finally(() => client.release(true));
}

/** A row of Prisma's list. */
const listed = (name: string, columns: { finished_at?: string; rolled_back_at?: string; checksum?: string } = {}) =>
  database.pool.query(
    `insert into public._prisma_migrations (id, checksum, migration_name, finished_at, rolled_back_at)
     values (gen_random_uuid(), $1, $2, $3, $4)`,
    [columns.checksum ?? "x", name, columns.finished_at ?? null, columns.rolled_back_at ?? null],
  );
const NOW = { finished_at: "2026-11-23T00:00:00Z" };

/** Nothing of the database changes when this is refused. */
async function expectRefused(expected: object): Promise<void> {
  const before = [await catalog(), await list()];
  await expect(migrate(database.url)).rejects.toMatchObject(expected);
  expect([await catalog(), await list()]).toEqual(before);
}

it("moves the history of a database that Prisma's list has into Handrail's schema, and the list is gone", async () => {
  const later = (await knownMigrations("prisma/migrations")).filter((name) => !OLD.includes(name));
  expect(await migrate(database.url)).toEqual({ applied: later });
  const taken = await database.pool.query(
    "select name, checksum, online, version, applied_at from handrail.migration where name = any ($1) order by name",
    [OLD],
  );
  expect(taken.rows).toEqual([
    {
      name: OLD[0],
      checksum: "ed989ee594cd5b9e03eb3edd621731fa2e2ae478bd499be1d1acbb976a8be35f",
      online: false,
      version: null,
      applied_at: new Date("2026-11-23T05:48:59.230Z"),
    },
    {
      name: OLD[1],
      checksum: "19de58d838c972263e83617e1ba5d1527baafef7fcb1c887e5dd30bc5b838936",
      online: true,
      version: null,
      applied_at: new Date("2026-11-23T05:48:59.256Z"),
    },
  ]);
  expect(await isListThere()).toBe(false);
  expect(await catalog()).toEqual(anew);
  expect(await migrate(database.url)).toEqual({ applied: [] });
});

it("leaves the rows of the app in its list, and takes those of Handrail out", async () => {
  await listed("20250101000000_init", NOW);
  await listed("20250102000000_failed");
  await listed("20261123030000_snooze", { rolled_back_at: NOW.finished_at });
  await Promise.all([1, 2, 3].map(() => migrate(database.url)));
  expect(await list()).toEqual(["20250101000000_init", "20250102000000_failed"]);
  expect(await catalog()).toEqual(anew);
});

it("does not touch the app's list once the history has moved", async () => {
  await migrate(database.url);
  await database.pool.query("create table public._prisma_migrations (id text, migration_name text)");
  await database.pool.query("insert into public._prisma_migrations values ('1', $1)", [OLD[0]]);
  expect(await migrate(database.url)).toEqual({ applied: [] });
  expect(await list()).toEqual([OLD[0]]);
});

it("waits for a migrator that holds the lock of the old list", async () => {
  const older = await database.pool.connect();
  await older.query("select pg_advisory_lock(72707369)");
  let done = false;
  const migrating = migrate(database.url).then(() => {
    done = true;
  });
  const asks =
    "select from pg_stat_activity where datname = current_database() and query like 'select pg_try_advisory_lock(72707369)%'";
  await expect.poll(async () => (await database.pool.query(asks)).rows.length, { timeout: 20_000 }).toBe(1);
  expect(done).toBe(false);
  await older.query("select pg_advisory_unlock(72707369)");
  older.release();
  await migrating;
});

it("refuses a half-migrated database until a person has said how it stands", async () => {
  await database.pool.query("update public._prisma_migrations set finished_at = null where migration_name = $1", [
    OLD[1],
  ]);
  await expectRefused({
    code: "unavailable",
    message: expect.stringContaining(`npx prisma migrate resolve --rolled-back ${OLD[1]}`),
  });
});

it("refuses an edited migration, and one of a newer version that asks for it", async () => {
  await listed("20270101000000_newer", NOW);
  await database.pool.query("insert into handrail.migration (name, online) values ('20270101000000_newer', false)");
  await expectRefused({ code: "database_newer", details: { migration: "20270101000000_newer" } });
  await database.pool.query("update handrail.migration set online = true");
  await database.pool.query("update public._prisma_migrations set checksum = 'x' where migration_name = $1", [OLD[1]]);
  await expectRefused({ code: "migration_edited", details: { migration: OLD[1] } });
});

it("forgets that sample tables were made in public, and leaves them", async () => {
  await listed(SAMPLE_TABLES_ONCE, NOW);
  await database.pool.query('create table "order" (id text)');
  await database.pool.query("insert into \"order\" values ('A-1')");
  await database.pool.query("insert into handrail.migration (name, online) values ($1, true)", [SAMPLE_TABLES_ONCE]);
  await migrate(database.url);
  expect(await isListThere()).toBe(false);
  expect(await rows('select id from "order"')).toEqual(["A-1"]);
  await expect(
    assertAdmitted(poolDb(database.pool), await knownMigrations("prisma/migrations")),
  ).resolves.toBeUndefined();
});

it("takes rows of Handrail out of the list when its schema was dropped, and installs anew", async () => {
  await listed("20250101000000_init", NOW);
  await database.pool.query("drop schema handrail cascade");
  expect((await migrate(database.url)).applied).toEqual(await knownMigrations("prisma/migrations"));
  expect(await list()).toEqual(["20250101000000_init"]);
  expect(await catalog()).toEqual(anew);
});

it("recognises a copy of the schema without the list", async () => {
  await database.pool.query("drop table public._prisma_migrations");
  const later = (await knownMigrations("prisma/migrations")).filter((name) => !OLD.includes(name));
  expect(await migrate(database.url)).toEqual({ applied: later });
  expect(await catalog()).toEqual(anew);
});

it("refuses a database from before the baseline, says what to do, and changes nothing in it", async () => {
  await database.pool.query("truncate public._prisma_migrations, handrail.migration");
  await listed(BEFORE_BASELINE, NOW);
  await expectRefused({ code: "unavailable", message: MADE_BEFORE_BASELINE });
  await database.pool.query("drop schema handrail cascade; create schema handrail");
  await expectRefused({ code: "unavailable", message: MADE_BEFORE_BASELINE });
});

it("a worker begins on a database whose history is yet to be moved", async () => {
  await expect(assertAdmitted(poolDb(database.pool), OLD)).resolves.toBeUndefined();
});
