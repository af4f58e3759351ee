import { readFile } from "node:fs/promises";
import pg from "pg";
import { expect, it, vi } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { anEngine } from "../../testing/workers/engine";
import { workChannel } from "./notify";

const engine = anEngine();

const input = z.object({ sku: z.string(), pieces: z.int().default(1) });
const reorder = defineWorkflow({ name: "reorder", input }, async (_, { sku, pieces }) => `${pieces} × ${sku}`);
const patient = defineWorkflow({ name: "patient", input: z.unknown() }, (ctx) =>
  ctx.waitForEvent("wait", { event: "stock.arrived", key: "sku-9" }),
);

const startRun = async (args: string) =>
  (await engine.rows<{ id: string }>(`select handrail.start_run(${args}) as id`))[0]?.id as string;

it("SQL starts a run, once per key, with the input checked by a worker that has the code", async () => {
  const worker = await engine.worker([reorder]);
  await worker.stop();
  const first = await startRun(`'reorder', '{"sku": "x"}', idempotency_key => 'r-1', tags => '{"sku": "x"}'`);
  expect(await startRun(`'reorder', '{"sku": "x"}', idempotency_key => 'r-1'`)).toBe(first);
  await expect(startRun(`'reorder', '{"sku": "y"}', idempotency_key => 'r-1'`)).rejects.toThrow(/another input/);
  const misfit = await startRun(`'reorder', '{"sku": 5}'`);
  await engine.worker([reorder]);
  expect((await engine.untilEnded(first)).run).toMatchObject({ output: "1 × x", tags: { sku: "x" } });
  expect((await engine.untilEnded(misfit)).run).toMatchObject({ status: "failed", error: { code: "invalid_input" } });
});

it.each([
  [`'nobody', '{}'`, /no workflow named/],
  [`'reorder', '{}', priority => 500`, /priority/],
  [`'reorder', '{}', run_at => 'infinity'`, /before the year 10000/],
  [`'reorder', '{}', run_at => '10000-01-01 00:00+00'`, /before the year 10000/],
  [`'reorder', '{}', idempotency_key => ''`, /idempotency key/],
  [`'reorder', '{}', tags => '{"a": 1}'`, /Tags/],
  [`'reorder', to_jsonb(repeat('x', 1100000))`, /cap/],
])("refuses start_run(%s) before anything is written", async (args, why) => {
  await expect(startRun(args)).rejects.toMatchObject({ message: expect.stringMatching(why), code: "22023" });
});

it("the migration that refuses infinity gives the runs that wait for it an instant that can be read", async () => {
  const id = await startRun(`'reorder', '{"sku": "x"}', run_at => now() + interval '1 day', begin_within => '1 hour'`);
  await engine.rows("update handrail.run set due_at = 'infinity', begin_by = 'infinity' where id = $1", [id]);
  const migration = new URL("../../../prisma/migrations/20261128170000_start_run_at/migration.sql", import.meta.url);
  await engine.database.pool.query(await readFile(migration, "utf8"));
  const last = new Date("9999-12-31T00:00:00Z");
  expect(await engine.rows("select due_at, begin_by, deadline_at from handrail.run where id = $1", [id])).toEqual([
    { due_at: last, begin_by: last, deadline_at: null },
  ]);
});

it("a trigger sends an event in the app's own transaction", async () => {
  const trigger = (await readFile(new URL("../../../docs/sql.md", import.meta.url), "utf8")).match(
    /```sql\n(create table[\s\S]*?)```/,
  );
  await engine.database.pool.query(trigger?.[1] as string);
  const runId = await engine.start(patient);
  await engine.worker([patient]);
  await engine.untilResting(runId);
  await engine.rows("begin; insert into delivery (id, sku, pieces) values (1, 'sku-9', 40); rollback");
  await engine.rows("insert into delivery (id, sku, pieces) values (2, 'sku-9', 12)");
  expect((await engine.untilEnded(runId)).run.output).toEqual({ sku: "sku-9", pieces: 12 });
});

it("refuses events that no run could take", async () => {
  const send = (args: string) => engine.rows(`select handrail.send_event(${args})`);
  await expect(send(`'$approval:1:x', '1'`)).rejects.toThrow(/cannot name/);
  await expect(send(`'e', '1', run_id => gen_random_uuid()`)).rejects.toThrow(/no run/);
  await expect(send(`'e', '1', key => ''`)).rejects.toThrow(/1 to 255/);
});

it("workers are notified of starts and events by SQL at the commit, unless that is switched off", async () => {
  const worker = await engine.worker([reorder, patient]);
  await worker.stop();
  const listener = new pg.Client({ connectionString: engine.database.url });
  await listener.connect();
  let notes = 0;
  listener.on("notification", () => notes++);
  await listener.query(`listen ${workChannel()}`);
  const start = `select handrail.start_run('reorder', '{"sku": "x"}')`;
  const inOne = async (...statements: string[]) => {
    notes = 0;
    await engine.rows(`begin; ${statements.join("; ")}; commit`);
    // Notifications come in commit order: none is missing once this one has come.
    await engine.rows("select pg_notify($1, 'the last')", [workChannel()]);
    await vi.waitFor(() => expect(notes).toBeGreaterThan(0));
    await listener.query("select 1");
    return notes - 1;
  };
  expect(await inOne(start, start)).toBe(1);
  expect(await inOne(`select handrail.send_event('stock.arrived', '1', key => 'sku-1')`)).toBe(1);
  expect(await inOne("set local handrail.notes = off", start)).toBe(0);
  expect(await inOne(`select handrail.start_run('reorder', '{"sku": "x"}', run_at => now() + interval '1 day')`)).toBe(
    0,
  );
  await listener.end();
  await engine.worker([reorder]);
});
