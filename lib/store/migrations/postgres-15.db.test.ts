import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { readCatalog } from "../../../scripts/postgres/catalog";
import { findPostgres15 } from "../../../scripts/test/postgres-15";
import { createHandrail, defineEvent, defineWorkflow } from "../../library/handrail";
import { type Postgres15, startPostgres15 } from "../../testing/database/postgres-15";
import { migrate } from "./migrate";

const programs = findPostgres15() ?? "";

const paid = defineEvent({ name: "paid", payload: z.object({ by: z.string() }) });
const order = defineWorkflow({ name: "order", input: z.object({ id: z.string() }) }, async (ctx, { id }) => {
  const insert = "insert into app_order (id) values ($1)";
  await ctx.transaction("row", async (tx) => (await tx.query(insert, [id])).rowCount, { client: "pg" });
  await ctx.sleep("a moment", 50);
  const { by } = await ctx.waitForEvent("paid", { event: paid, key: id });
  return ctx.step("ship", () => `${id} is shipped, and ${by} has paid`);
});

// Skipped where Debian's PostgreSQL 15 is not installed (apt-get install postgresql-15).
describe.skipIf(!programs)("on PostgreSQL 15, the oldest that Handrail works on", () => {
  let server: Postgres15;
  let client: pg.Client;
  const url = () => server.url("app");

  beforeAll(async () => {
    server = await startPostgres15(programs);
    expect((await migrate(url())).applied).toContain("20261122000000_baseline");
    client = new pg.Client({ connectionString: url() });
    await client.connect();
  });
  afterAll(async () => {
    await client?.end();
    await server.stop();
  });

  it("migrations make every table, once", async () => {
    const { rows } = await client.query("show server_version_num");
    expect(Math.floor(rows[0].server_version_num / 10_000)).toBe(15);
    expect(await migrate(url())).toEqual({ applied: [] });
    const catalog = await readCatalog(client);
    expect(catalog.some((line) => line.startsWith("table handrail.run "))).toBe(true);
  });

  it("a worker brings runs to their end, started by the library and by SQL", async () => {
    await client.query("create table public.app_order (id text primary key)");
    const handrail = createHandrail({ workflows: [order], databaseUrl: url() });
    await handrail.worker({ concurrency: 4 }).start();
    const run = await handrail.start(order, { id: "A-1" });
    const { rows } = await client.query(`select handrail.start_run('order', '{"id": "A-2"}') as id`);
    for (const id of ["A-1", "A-2"])
      await client.query("select handrail.send_event('paid', '{\"by\": \"Ada\"}', key => $1)", [id]);
    expect(await run.result({ timeoutMs: 30_000 })).toEqual({ output: "A-1 is shipped, and Ada has paid" });
    expect(await handrail.run(rows[0].id).result({ timeoutMs: 30_000 })).toEqual({
      output: "A-2 is shipped, and Ada has paid",
    });
    expect((await client.query("select id from public.app_order order by id")).rows).toEqual([
      { id: "A-1" },
      { id: "A-2" },
    ]);
    await handrail.close();
  });
});
