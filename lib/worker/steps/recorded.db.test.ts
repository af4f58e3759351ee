import { expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { anEngine } from "../../testing/workers/engine";

const engine = anEngine();
const input = z.object({});

it("the clock, a number and an id are the same in every claim of a run, and are steps of it", async () => {
  const passes: unknown[][] = [];
  const workflow = defineWorkflow({ name: "recorded", input }, async (ctx) => {
    const kept = [await ctx.now(), await ctx.random(), await ctx.uuid(), await ctx.now("later")];
    passes.push(kept);
    await ctx.sleep("pause", 1);
    return kept;
  });
  const { run, steps } = await engine.runToEnd(workflow);
  expect(run.status).toBe("completed");
  expect(passes.length).toBeGreaterThan(1);
  for (const pass of passes) expect(pass).toEqual(passes[0]);
  const [at, number, id, later] = passes[0] as [Date, number, string, Date];
  expect([at, later].every((one) => one instanceof Date)).toBe(true);
  expect(number >= 0 && number < 1).toBe(true);
  expect(z.uuid().safeParse(id).success).toBe(true);
  expect(steps.map(({ name }) => name)).toEqual(["now", "random", "uuid", "later", "pause"]);
});

it("a second one needs its own name, and the error says where it is", async () => {
  const workflow = defineWorkflow({ name: "recorded-twice", input }, async (ctx) => [
    await ctx.uuid(),
    await ctx.uuid(),
  ]);
  const { run } = await engine.runToEnd(workflow);
  expect(run.status).toBe("failed");
  expect(JSON.stringify(run.error)).toContain("recorded.db.test.ts");
});
