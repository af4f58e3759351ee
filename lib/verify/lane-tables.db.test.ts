import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../engine/workflows/workflow";
import { anEngine } from "../testing/workers/engine";
import { LaneTables } from "./lane-tables";

const engine = anEngine();
const input = z.object({});
const child = defineWorkflow({ name: "emptied-child", input }, (ctx) => ctx.step("one", () => 1));
const parent = defineWorkflow({ name: "emptied", input }, async (ctx) => {
  await ctx.child("child", child, {});
  throw new Error("no");
});

const countOf = async (table: string) =>
  (await engine.rows<{ count: number }>(`select count(*)::int from ${table}`))[0]?.count;

it("a trial's runs, children and rows are gone, the worker goes on, and what was there before the first stays", async () => {
  const { pool } = engine.database;
  await pool.query("create table kept as select 1 as id; create table made (id serial)");
  const tables = await LaneTables.of(pool);
  await engine.worker([parent, child]);
  for (let trial = 0; trial < 3; trial++) {
    const runId = await engine.start(parent);
    expect((await engine.untilEnded(runId)).run.status).toBe("failed");
    await pool.query("insert into made default values");
    expect([await countOf("handrail.run"), await countOf("made")]).toEqual([2, 1]);
    expect(await tables.reset(true)).toBe(true);
    for (const table of ["handrail.run", "handrail.step", "made"]) expect(await countOf(table), table).toBe(0);
  }
  expect(await countOf("handrail.worker")).toBe(1);
  expect(await countOf("handrail.workflow")).toBe(2);
  await pool.query("update kept set id = 2");
  expect(await tables.reset(true)).toBe(false);
});

it("a fold in progress ends before its run is deleted, so that no problem holds a run that is gone", async () => {
  const { pool } = engine.database;
  const tables = await LaneTables.of(pool);
  const fold = await pool.connect();
  const runId = await engine.start(parent);
  await fold.query("begin; select from handrail.problem_fold for update");
  await fold.query("insert into handrail.problem_run (run_id, problem_id, since) values ($1, $1, now())", [runId]);
  const resets = tables.reset(false).then(() => tables.reset(false));
  expect(await Promise.race([resets, sleep(200, "waits")])).toBe("waits");
  await fold.query("commit");
  fold.release();
  expect(await resets).toBe(true);
  for (const table of ["handrail.run", "handrail.problem_run"]) expect(await countOf(table), table).toBe(0);
});
