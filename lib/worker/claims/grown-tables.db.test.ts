import { expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { anEngine } from "../../testing/workers/engine";

const engine = anEngine();
const input = z.object({});
const STORED = 5_000;

const child = defineWorkflow({ name: "grown-child", input }, (ctx) => ctx.step("a", () => 1));
const limited = defineWorkflow({ name: "grown-limited", input, concurrency: { limit: 2 } }, (ctx) =>
  ctx.step("a", () => 1),
);
/** Sends what a worker sends, but for what an outage brings. */
const parent = defineWorkflow({ name: "grown-parent", input }, async (ctx) => {
  await ctx.step("plain", () => 1);
  await ctx.step("once", () => 2, { effect: "once", compensate: () => undefined });
  const failsOnce = ({ attempt }: { attempt: number }) => {
    if (attempt === 1) throw new Error("The first attempt fails.");
  };
  await ctx.step("again", failsOnce, { retry: { initialDelayMs: 1 } });
  await ctx.sleep("rest", 5);
  await Promise.all([1, 2, 3].map((n) => ctx.child(`child-${n}`, child, {})));
  ctx.log("done");
});

async function runAll(times: number): Promise<void> {
  const ids: string[] = [];
  for (let n = 0; n < times; n++)
    for (const workflow of [parent, limited, child]) ids.push(await engine.start(workflow));
  for (const id of ids) expect((await engine.untilEnded(id)).run).toMatchObject({ error: null, status: "completed" });
}

/** Rows that statements have looked at in the two tables, by walks through them and by their keys. */
async function rowsRead(): Promise<number> {
  const [row] = await engine.rows<{ read: string }>(
    `select (select sum(seq_tup_read) from pg_stat_user_tables where schemaname = 'handrail' and relname in ('run', 'step'))
      + (select sum(idx_tup_read) from pg_stat_user_indexes where indexrelname in ('run_pkey', 'step_pkey')) as read`,
  );
  return Number(row?.read);
}

/** PostgreSQL keeps a worker's plans until something about the tables changes: until it has counted them anew, they may grow for minutes. */
it("what a worker sends reads no table whole that has grown since it was planned", async () => {
  for (const table of ["run", "step"])
    await engine.rows(`alter table handrail.${table} set (autovacuum_enabled = off)`);
  const worker = await engine.worker([parent, child, limited]);
  await runAll(8);
  await engine.rows(
    `insert into handrail.run select (jsonb_populate_record(null::handrail.run, to_jsonb(run) || jsonb_build_object('id', gen_random_uuid()))).*
     from (select * from handrail.run where workflow = 'grown-child' and parent_run_id is null limit 1) as run, generate_series(1, $1)`,
    [STORED],
  );
  await engine.rows(
    `insert into handrail.step select (jsonb_populate_record(null::handrail.step, to_jsonb(step) || jsonb_build_object('run_id', run.id))).*
     from handrail.run cross join (select * from handrail.step where kind = 'step' limit 1) as step
     where not exists (select from handrail.step as own where own.run_id = run.id)`,
  );
  const before = await rowsRead();
  await runAll(20);
  // Its sessions tell what they have read when they end.
  await worker.stop();
  const read = (await rowsRead()) - before;
  const copies = "(select id from handrail.run where workflow = 'grown-child' and parent_run_id is null)";
  await engine.rows(`delete from handrail.step where run_id in ${copies}`);
  await engine.rows(`delete from handrail.run where id in ${copies}`);
  // A single walk through either is more. It was 160 walks.
  expect(read).toBeLessThan(STORED + 1_000);
});
