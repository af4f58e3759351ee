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
