import { randomUUID } from "node:crypto";
import pg from "pg";
import { expect, inject, it } from "vitest";
import { readCatalog } from "../../../scripts/postgres/catalog";
import {
  drizzleMigrator,
  knexMigrator,
  kyselyMigrator,
  type OtherMigrator,
  prismaMigrator,
} from "../../testing/database/other-migrators";
import { oneIn } from "../../testing/sample";
import { migrate } from "./migrate";

const TOOLS = {
  Prisma: prismaMigrator,
  Drizzle: drizzleMigrator,
  Kysely: kyselyMigrator,
  Knex: knexMigrator,
};
type Tool = keyof typeof TOOLS;
type Order = "after" | "before";

const CASES = (["after", "before"] as const).flatMap((order) =>
  (Object.keys(TOOLS) as Tool[]).map((tool): [Tool, Order] => [tool, order]),
);

/** Both sides' tables, functions and so on, those of the app without its tool's own records. */
async function catalogOf(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const lines = await readCatalog(client).finally(() => client.end());
  const isOurs = (line: string) => line.includes("handrail");
  return { ours: lines.filter(isOurs), theirs: lines.filter((line) => !isOurs(line)) };
}

async function check(url: string, app: OtherMigrator, order: Order): Promise<void> {
  let { ours } = order === "after" ? { ours: [] as string[] } : await install();
  await app.first();
  expect((await catalogOf(url)).ours).toEqual(ours);
  const { theirs } = await catalogOf(url);
  if (order === "after") ({ ours } = await install());
  expect((await catalogOf(url)).theirs).toEqual(theirs);
  expect(await app.drift()).toEqual([]);
  await app.second();
  expect(await migrate(url)).toEqual({ applied: [] });
  expect((await catalogOf(url)).ours).toEqual(ours);

  async function install() {
    expect((await migrate(url)).applied).toContain("20261122000000_baseline");
    return catalogOf(url);
  }
}

/** Command lines start slowly. */
const PATIENCE_MS = 180_000;

it.each(oneIn(CASES.length, CASES))(
  "%s sees nothing of Handrail, which migrates %s it",
  { timeout: PATIENCE_MS },
  async (tool, order) => {
    const name = `beside_${randomUUID().replaceAll("-", "")}`;
    const server = new pg.Client({ connectionString: inject("postgresUrl") });
    await server.connect();
    await server.query(`create database ${name}`);
    const url = Object.assign(new URL(inject("postgresUrl")), { pathname: `/${name}` }).href;
    const app = await TOOLS[tool](url);
    try {
      await check(url, app, order);
    } finally {
      await app.end();
      await server.query(`drop database ${name} with (force)`);
      await server.end();
    }
  },
);
