import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { aRegisteredWorker } from "../../testing/rows/claims";
import { assertAdmitted, StandAside } from "../../worker/loop/admission";
import { BEFORE_BASELINE, knownMigrations, MADE_BEFORE_BASELINE } from "../database/known-migrations";
import { poolDb } from "../db";
import { declared, readMigrations } from "./files";
import { migrate } from "./migrate";

const OURS = path.resolve("prisma/migrations");

let database: TestDatabase;
let directory: string;
beforeEach(async () => {
  database = await createTestDatabase();
  directory = await mkdtemp(path.join(tmpdir(), "handrail-next-version-"));
  await cp(OURS, directory, { recursive: true });
});
afterEach(async () => {
  await rm(directory, { recursive: true });
  await database.drop();
});

/** The next version has this migration. */
async function add(name: string, sql: string): Promise<string> {
  const folder = `20990101000000_${name}`;
  await mkdir(path.join(directory, folder), { recursive: true });
  await writeFile(path.join(directory, folder, "migration.sql"), sql);
  return folder;
}

const said: string[] = [];
const migrateNow = (patience: { drainMs?: number; lockMs?: number } = {}) =>
  migrate(database.url, { directory, say: (text) => said.push(text), ...patience });

/** A transaction that holds locks on what it has touched. */
async function inTransaction(sql: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url, application_name: "a long report" });
  await client.connect();
  await client.query("begin");
  await client.query(sql);
  return client;
}

/** Ends the session that holds the lock of migrators, which is that of `migrating`. */
async function kill(migrating: Promise<unknown>): Promise<void> {
  const dies = expect(migrating).rejects.toThrow();
  await database.pool.query(`
    select pg_terminate_backend(pid) from pg_locks
    where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())`);
  await dies;
}

const COLUMN = "-- handrail: online\nalter table handrail.run add column note text;";
const INDEX = '-- handrail: online\ncreate index concurrently "run_by_note" on "handrail"."run" ("revision");';

it("every migration says whether workers of the version before may go on", async () => {
  const migrations = await readMigrations(OURS);
  expect(migrations[0]?.name).toBe("20261122000000_baseline");
  expect(migrations.filter(({ sql }) => declared(sql) === undefined).map(({ name }) => name)).toEqual([]);
});

describe("an online migration", () => {
  it("is applied while workers live, and tells those that do not know it", async () => {
    await aRegisteredWorker(poolDb(database.pool));
    const name = await add("column", COLUMN);
    expect(await migrateNow()).toEqual({ applied: [name] });
    await expect(assertAdmitted(poolDb(database.pool), await knownMigrations(OURS))).resolves.toBeUndefined();
    expect(await migrate(database.url)).toEqual({ applied: [] });
  });

  it("lets others through while it waits for who is in its way, and names them when they stay", async () => {
    await add("column", COLUMN);
    const report = await inTransaction("select count(*) from handrail.run");
    const migrating = migrateNow({ lockMs: 100_000 });
    let longest = 0;
    for (let asked = 0; asked < 30; asked++) {
      const since = performance.now();
      await database.pool.query("select from handrail.run limit 1");
      longest = Math.max(longest, performance.now() - since);
      await delay(100);
    }
    // It waits for a second at once; a busy machine takes its time beside that.
    expect(longest).toBeLessThan(5_000);
    await report.query("commit");
    expect((await migrating).applied).toHaveLength(1);
    expect(said.join()).toContain("waits for a moment");

    await add("other", "-- handrail: online\nalter table handrail.run add column other text;");
    await report.query("begin");
    await report.query("select count(*) from handrail.run");
    await expect(migrateNow({ lockMs: 0 })).rejects.toThrow(
      /found no moment.*a long report \(pid \d+, for \d+ s\).*Nothing of it/,
    );
    await report.end();
    expect((await migrateNow()).applied).toHaveLength(1);
  });

  it("that takes longer than others could wait is taken back", async () => {
    await add("slow", "-- handrail: online\nalter table handrail.run add column note text; select pg_sleep(60);");
    await expect(migrateNow()).rejects.toThrow(/took longer than 5s.*Nothing of it was applied/);
    const { rows } = await database.pool.query(
      "select from information_schema.columns where column_name = 'note' and table_name = 'run'",
    );
    expect(rows).toEqual([]);
  });

  it("may build an index while others write, and another migrator waits", async () => {
    const name = await add("index", INDEX);
    const writer = await inTransaction("lock table handrail.run in row exclusive mode");
    const first = migrateNow();
    const second = migrateNow();
    await expect
      .poll(async () => (await database.pool.query("select from pg_index where not indisvalid")).rows.length, {
        timeout: 20_000,
      })
      .toBe(1);
    await writer.end();
    expect((await Promise.all([first, second])).flatMap(({ applied }) => applied)).toEqual([name]);
  });

  it.each(["statement_timeout", "lock_timeout"])("may build an index for longer than a role's %s", async (limit) => {
    const name = await add("index", INDEX);
    const writer = await inTransaction("lock table handrail.run in row exclusive mode");
    const url = new URL(database.url);
    url.searchParams.set("options", `-c ${limit}=300`);
    const said: string[] = [];
    const migrating = migrate(url.href, { directory, say: (line) => said.push(line) });
    await Promise.race([migrating, delay(1_000)]).finally(() => writer.end());
    expect([await migrating, said]).toEqual([{ applied: [name] }, []]);
    const { rows } = await database.pool.query(
      "select indisvalid as valid from pg_index where indexrelid = 'handrail.run_by_note'::regclass",
    );
    expect(rows).toEqual([{ valid: true }]);
  });

  it("whose index was left half-built is built anew", async () => {
    const name = await add("index", INDEX);
    const writer = await inTransaction("lock table handrail.run in row exclusive mode");
    const migrating = migrateNow();
    const half = async () => (await database.pool.query("select from pg_index where not indisvalid")).rows.length;
    await expect.poll(half, { timeout: 20_000 }).toBe(1);
    await kill(migrating);
    await writer.end();
    expect(await half()).toBe(1);
    expect(await migrateNow()).toEqual({ applied: [name] });
    expect(await half()).toBe(0);
  });
});

describe("a migration that drains", () => {
  const DRAINS = "-- handrail: drain\nalter table handrail.run add column note text;";

  it("waits until no worker is left; new ones stand aside meanwhile and are refused by name afterwards", async () => {
    const known = await knownMigrations(OURS);
    const db = poolDb(database.pool);
    const worker = await aRegisteredWorker(db);
    const name = await add("drains", DRAINS);
    const migrating = migrateNow();
    await expect
      .poll(() => assertAdmitted(db, known).catch((error: Error) => error), { timeout: 20_000 })
      .toBeInstanceOf(StandAside);
    await database.pool.query("update handrail.worker set stopped_at = clock_timestamp() where id = $1", [worker]);
    expect(await migrating).toEqual({ applied: [name] });
    await expect(assertAdmitted(db, known)).rejects.toThrow(`does not know the migration "${name}"`);
    await expect(assertAdmitted(db, [...known, name])).resolves.toBeUndefined();
  });

  it("is not applied when workers stay, says which, and lets new ones begin again", async () => {
    await aRegisteredWorker(poolDb(database.pool), { name: "stays/1" });
    await add("drains", DRAINS);
    await expect(migrateNow({ drainMs: 300 })).rejects.toThrow(
      /asked to stand aside.*stays\/1.*Nothing of it was applied/,
    );
    await expect(assertAdmitted(poolDb(database.pool), await knownMigrations(OURS))).resolves.toBeUndefined();
  });

  it("is gone on with by the next migrator when the first one dies while it waits", async () => {
    const worker = await aRegisteredWorker(poolDb(database.pool));
    const name = await add("drains", DRAINS);
    const migrating = migrateNow();
    const asked = async () =>
      (
        await database.pool.query(
          "select until_at - clock_timestamp() <= interval '30 s' as bounded from handrail.drain",
        )
      ).rows;
    await expect.poll(asked, { timeout: 20_000 }).toEqual([{ bounded: true }]);
    await kill(migrating);
    expect(await asked()).toEqual([{ bounded: true }]);
    const next = migrateNow();
    await database.pool.query("update handrail.worker set stopped_at = clock_timestamp() where id = $1", [worker]);
    expect(await next).toEqual({ applied: [name] });
    expect(await asked()).toEqual([]);
  });

  it("does not wait for workers in other languages, nor for those whose lease has ended", async () => {
    const silent = await aRegisteredWorker(poolDb(database.pool), { leaseMs: 1 });
    const other = await aRegisteredWorker(poolDb(database.pool));
    await database.pool.query("update handrail.worker set language = 'python', lease_ms = 60000 where id = $1", [
      other,
    ]);
    await database.pool.query(
      "update handrail.worker set lease_expires_at = clock_timestamp() - interval '1 s' where id = $1",
      [silent],
    );
    await add("drains", DRAINS);
    expect((await migrateNow({ drainMs: 0 })).applied).toHaveLength(1);
  });

  it("whose migrator died keeps nobody from working for long", async () => {
    await database.pool.query(
      "insert into handrail.drain (migration, until_at) values ('m', clock_timestamp() + interval '300 ms')",
    );
    const admitted = async () => assertAdmitted(poolDb(database.pool), await knownMigrations(OURS));
    await expect(admitted()).rejects.toBeInstanceOf(StandAside);
    await expect.poll(() => admitted().then(() => "yes", String), { timeout: 20_000 }).toBe("yes");
  });
});

it("a worker is refused on a schema that lacks what it needs", async () => {
  const name = await add("column", COLUMN);
  const ours = await knownMigrations(OURS);
  await expect(assertAdmitted(poolDb(database.pool), [...ours, name])).rejects.toThrow(
    `lacks the migration "${name}". Run \`npm run migrate\``,
  );
  await database.pool.query("drop table handrail.migration");
  await expect(assertAdmitted(poolDb(database.pool), [name])).rejects.toThrow("older than this worker");
});

it("a worker is refused on a database from before the baseline, with what to do", async () => {
  await database.pool.query("create table public._prisma_migrations as select $1::text as migration_name", [
    BEFORE_BASELINE,
  ]);
  await database.pool.query("delete from handrail.migration");
  await expect(assertAdmitted(poolDb(database.pool), await knownMigrations(OURS))).rejects.toThrow(
    MADE_BEFORE_BASELINE,
  );
});
