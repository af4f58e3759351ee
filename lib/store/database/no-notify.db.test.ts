import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { z } from "zod";
import { createHandrail, defineWorkflow } from "../../library/handrail";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { startProxy, type TestProxy } from "../../testing/database/proxy";

/* A server that has neither LISTEN nor NOTIFY, as some that speak PostgreSQL's protocol: all is found by polling. */

const input = z.object({ n: z.number() });
const double = defineWorkflow({ name: "quiet-double", input }, (ctx, { n }) => ctx.step("double", () => n * 2));
const triple = defineWorkflow({ name: "quiet-double", version: 2, input }, (ctx, { n }) =>
  ctx.step("triple", () => n * 3),
);
const waits = defineWorkflow({ name: "quiet-waits", input }, async (ctx, { n }) => {
  const paid = await ctx.waitForEvent("paid", { event: "quiet.paid", key: `${n}` });
  return [paid, await ctx.child("double", double, { n })];
});

let database: TestDatabase;
let proxy: TestProxy;
const apps: ReturnType<typeof createHandrail>[] = [];
const said: string[] = [];
const log = Object.fromEntries(
  ["debug", "info", "warn", "error"].map((level) => [
    level,
    (first: unknown, second?: string) => said.push(typeof first === "string" ? first : `${second}`),
  ]),
);

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await startProxy(database.url);
  proxy.refuse("listen");
  await database.pool.query(`
    set allow_system_table_mods = on;
    alter function pg_catalog.pg_notify(text, text) rename to pg_notify_of_postgres;
    create sequence public.refused_changes;
    create function pg_catalog.pg_notify(channel text, payload text) returns void language plpgsql as $$
    begin
      -- What a sequence counts stays counted.
      if channel = 'handrail_change' then
        perform nextval('public.refused_changes');
      end if;
      raise feature_not_supported using message = 'NOTIFY is not supported';
    end $$`);
  vi.stubEnv("DATABASE_URL", proxy.url);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await Promise.all(apps.map((app) => app.close()));
  await proxy.close();
  await database.drop();
});

function anApp(workflows: Parameters<typeof createHandrail>[0]["workflows"]) {
  const app = createHandrail({ workflows, log: log as never });
  apps.push(app);
  return app;
}

it("runs that the library, SQL, an event and a parent start come to their ends, and waits for them hear of it", async () => {
  const workers = anApp([double, triple, waits]);
  await workers.worker().start();
  const client = anApp([double, waits]);

  const first = await client.start(double, { n: 2 });
  expect(await first.result({ timeoutMs: 20_000 })).toMatchObject({ output: 4 });

  const { rows } = await database.pool.query(`select handrail.start_run('quiet-double', '{"n":3}')::text as id`);
  expect(await client.run(rows[0].id).result({ timeoutMs: 20_000 })).toMatchObject({ output: 9 });

  const parent = await client.start(waits, { n: 4 });
  await delay(500);
  await client.send("quiet.paid", { cents: 1 }, { key: "4" });
  expect(await parent.result({ timeoutMs: 30_000 })).toMatchObject({ output: [{ cents: 1 }, 8] });
});

it("a start on a version that only workers have is prepared there", async () => {
  const run = await anApp([double]).start(double, { n: 5 }, { version: 2 });
  expect(await run.result({ timeoutMs: 20_000 })).toMatchObject({ output: 15 });
});

it("is not asked again for each change", async () => {
  const { rows } = await database.pool.query("select last_value::int as asked from public.refused_changes");
  // Progress and what is urgent, once for each process and worker.
  expect(rows[0].asked).toBeLessThanOrEqual(2 * (apps.length + 1));
});

it("says so, once for each connection that would hear", () => {
  const [worker, ...waiting] = said.filter((line) => line.includes("refuses LISTEN"));
  expect(worker).toContain("new work is found by polling");
  expect(waiting.length).toBeLessThanOrEqual(apps.length);
});
