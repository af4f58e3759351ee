import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { expect, it, vi } from "vitest";
import { removeEmbeddedPostgres } from "../../scripts/postgres/embedded";
import { anEngine } from "../testing/workers/engine";
import { createTestDatabase } from "./test-database";

const engine = anEngine();

async function rowsOf(url: string, sql: string, values: unknown[] = []): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client
    .query(sql, values)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}

it("makes a database with every table on the named server, and leaves nothing there", async () => {
  const { url } = engine.database;
  const [one, other] = await Promise.all([createTestDatabase(url), createTestDatabase(url)]);
  expect(await rowsOf(one.url, "select from handrail.run")).toEqual([]);
  expect(one.url).not.toBe(other.url);
  await Promise.all([one.drop(), other.drop()]);
  const names = [one, other].map((made) => new URL(made.url).pathname.slice(1));
  expect(await rowsOf(url, "select from pg_database where datname = any($1)", [names])).toEqual([]);
});

it("brings an embedded server where none is named, which ends with its last database", async ({ onTestFinished }) => {
  const data = await mkdtemp(path.join(tmpdir(), "handrail-test-database-"));
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await removeEmbeddedPostgres(path.join(data, "test"));
    await rm(data, { recursive: true });
  });
  vi.stubEnv("HANDRAIL_DATA", data);
  const [one, other] = await Promise.all([createTestDatabase(""), createTestDatabase()]);
  await one.drop();
  expect(await rowsOf(other.url, "select from handrail.run")).toEqual([]);
  await other.drop();
  await expect(rowsOf(other.url, "select")).rejects.toThrow("ECONNREFUSED");
});

it("waits for connections that are closing, as those of a pool that has just ended, before it cuts the others", async () => {
  const { url, drop } = await createTestDatabase(engine.database.url);
  const [closing, left] = [new pg.Client({ connectionString: url }), new pg.Client({ connectionString: url })];
  await Promise.all([closing.connect(), left.connect()]);
  const cut = new Set<pg.Client>();
  for (const client of [closing, left]) client.on("error", () => cut.add(client));
  const goodbye = delay(200).then(() => closing.end());
  await drop();
  await goodbye;
  expect([cut.has(closing), cut.has(left)]).toEqual([false, true]);
});

it("says what the server has to allow", async () => {
  await rowsOf(engine.database.url, "create role reader login password 'reader'");
  const url = Object.assign(new URL(engine.database.url), { username: "reader", password: "reader" });
  await expect(createTestDatabase(url.href)).rejects.toThrow(
    /permission denied to create database.*Name one whose user may/,
  );
  await rowsOf(engine.database.url, "drop role reader");
});
