import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { z } from "zod";
import { createHandrail, defineWorkflow } from "../../library/handrail";
import { allObjects } from "../../testing/database/all-objects";
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

const everything = () => allObjects(client);

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
