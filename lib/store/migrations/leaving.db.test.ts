import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { z } from "zod";
import { createHandrail, defineWorkflow } from "../../library/handrail";
import { migrate } from "./migrate";

const database = `leaving_${randomUUID().replaceAll("-", "")}`;
const url = Object.assign(new URL(inject("postgresUrl")), { pathname: `/${database}` }).href;

let client: pg.Client;
beforeAll(async () => {
  client = new pg.Client({ connectionString: inject("postgresUrl") });
  await client.connect();
  await client.query(`create database ${database}`);
  await client.end();
  client = new pg.Client({ connectionString: url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  client = new pg.Client({ connectionString: inject("postgresUrl") });
  await client.connect();
  await client.query(`drop database ${database} with (force)`);
  await client.end();
});

/** Every catalogue of this database whose rows have an id: tables, functions, types, casts, settings for new objects, … */
const CATALOGUES = `
  select oid::regclass::text as name from pg_class
  where relnamespace = 'pg_catalog'::regnamespace and relkind = 'r' and not relisshared
    and exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'oid')`;

async function everything(): Promise<string[]> {
  const { rows: catalogues } = await client.query<{ name: string }>(CATALOGUES);
  const objects = catalogues.map(
    ({ name }) => `select '${name}: ' || (pg_identify_object(tableoid, oid, 0)).identity as line from ${name}`,
  );
  const notes = `select format('comment %s', (pg_identify_object(classoid, objoid, objsubid)).identity) from pg_description`;
  const { rows } = await client.query<{ line: string }>([...objects, notes].join(" union all "));
  return rows.map(({ line }) => line).sort();
}

const greet = defineWorkflow({ name: "greet", input: z.object({ name: z.string() }) }, (ctx, { name }) =>
  ctx.step("greet", () => `Hello ${name}`),
);

it("`drop schema handrail cascade` leaves a database as it was before Handrail came and worked", async () => {
  await client.query("create table app_order (id text primary key)");
  const before = await everything();
  await migrate(url);
  const handrail = createHandrail({ workflows: [greet], databaseUrl: url });
  await handrail.worker({ concurrency: 2 }).start();
  const run = await handrail.start(greet, { name: "Ada" });
  expect(await run.result({ timeoutMs: 30_000 })).toMatchObject({ output: "Hello Ada" });
  await handrail.close();
  expect(await everything()).not.toEqual(before);

  await client.query("drop schema handrail cascade");
  expect(await everything()).toEqual(before);
  const { rows } = await client.query(
    "select from pg_db_role_setting where setdatabase = (select oid from pg_database where datname = current_database())",
  );
  expect(rows).toEqual([]);
  expect((await migrate(url)).applied).toContain("20261122000000_baseline");
});
