import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type Context, defineWorkflow } from "../../engine/workflows/workflow";
import { anEngine } from "../../testing/workers/engine";

const engine = anEngine();
const input = z.object({});

describe("what a step gives its code", () => {
  it("is the same in the first pass and in every replay", async () => {
    const value = {
      at: new Date("2026-01-02T03:04:05.678Z"),
      counts: new Map([["a", 1n]]),
      nothing: undefined,
      text: "half \ud800 of a pair and \0",
      least: -0,
    };
    const seen: unknown[] = [];
    const workflow = defineWorkflow({ name: "replay-same", input }, async (ctx) => {
      seen.push(await ctx.step("value", () => value));
      await ctx.sleep("nap", 30);
      seen.push(await ctx.step("void", () => undefined));
    });
    expect((await engine.runToEnd(workflow)).run.status).toBe("completed");
    expect(seen.length).toBeGreaterThan(2);
    expect(seen[0]).toStrictEqual(seen[1]);
    expect(seen[0]).toEqual(value);
  });

  it("is what was kept, not what the body goes on changing", async () => {
    const live = { count: 1 };
    const workflow = defineWorkflow({ name: "replay-copy", input }, async (ctx) => {
      const kept = await ctx.step("value", () => live);
      live.count = 2;
      return kept.count;
    });
    expect((await engine.runToEnd(workflow)).run.output).toBe(1);
  });
});

it("a body begins once the call that asks for it has returned, whether it is async or not, and may return a query that begins when it is awaited", async () => {
  const order: string[] = [];
  // biome-ignore lint/suspicious/noThenProperty: as queries of libraries have it
  const query = { then: (give: (rows: string) => void) => give("rows") };
  const workflow = defineWorkflow({ name: "replay-order", input }, async (ctx) => {
    const first = ctx.step("first", () => order.push("first body"));
    order.push("first asked");
    await first;
    const second = ctx.step("second", async () => order.push("second body"));
    order.push("second asked");
    await second;
    const builder = Object.assign(() => undefined, query);
    const [rows, more] = [query, builder] as unknown as Promise<string>[];
    return [await ctx.step("third", () => rows), await ctx.step("fourth", () => more)];
  });
  const { run } = await engine.runToEnd(workflow);
  expect(run.output).toEqual(["rows", "rows"]);
  expect(order).toEqual(["first asked", "first body", "second asked", "second body"]);
});

describe("a name that is met twice in one pass", () => {
  it.each([
    ["one after the other", "a", async (ctx: Context) => [await ctx.step("a", () => 1), await ctx.step("a", () => 2)]],
    ["at once", "b", (ctx: Context) => Promise.all([ctx.step("a", () => 1), ctx.step("a", () => 2)])],
    ["by a step and a sleep", "c", async (ctx: Context) => [await ctx.step("a", () => 1), await ctx.sleep("a", 10)]],
  ])("%s fails the run, and says where", async (_, letter, code) => {
    const workflow = defineWorkflow({ name: `duplicate-${letter}`, input }, code);
    const { run } = await engine.runToEnd(workflow);
    expect(run).toMatchObject({
      status: "failed",
      error: { code: "duplicate_step", message: expect.stringContaining("replay.db.test.ts") },
    });
  });
});
