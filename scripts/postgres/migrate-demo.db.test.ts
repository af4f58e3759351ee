import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { migrateDemo } from "./migrate-demo";

const database = `demo_${randomUUID().replaceAll("-", "")}`;
const url = Object.assign(new URL(inject("postgresUrl")), { pathname: `/${database}` }).href;

async function query(sql: string, databaseUrl = url): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: "array" })).rows.flat();
  } finally {
    await client.end();
  }
}

beforeAll(() => query(`create database ${database}`, inject("postgresUrl")));
afterAll(() => query(`drop database ${database} with (force)`, inject("postgresUrl")));

it("makes the sample tables in their own schema, once, however many ask", async () => {
  const applied = (await Promise.all([1, 2, 3].map(() => migrateDemo(url)))).map((made) => made.applied.length);
  expect(applied.sort()).toEqual([0, 0, 1]);
  await query("insert into demo.account (id) values ('acc-1')");
  expect(await migrateDemo(url)).toEqual({ applied: [] });
  expect(await query("select id from demo.account")).toEqual(["acc-1"]);
  const elsewhere = "select relname from pg_class where relnamespace = 'public'::regnamespace";
  expect(await query(elsewhere)).toEqual([]);
});

it("refuses another program's schema of that name, and leaves it as it is", async () => {
  await query("drop schema demo cascade");
  await query("create schema demo");
  await query("create table demo.theirs as select 42 as answer");
  await expect(migrateDemo(url)).rejects.toThrow('a schema "demo" that the demo has not made');
  expect(await query("select answer from demo.theirs")).toEqual([42]);
  await query("drop schema demo cascade");
});
