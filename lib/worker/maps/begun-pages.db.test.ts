import { expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { settleStep } from "../../testing/actions";
import { aDesk } from "../../testing/desk";
import { gate } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";

const engine = anEngine();
const reason = "because";
const desk = () => aDesk(engine.db);
const items = Array.from({ length: 25 }, (_, index) => index);

/** A map over 25 numbers whose next builds cut it otherwise. */
const over = (name: string, pageSize: number, body: (item: number) => unknown, concurrency = 1) =>
  defineWorkflow({ name, input: z.object({}), retry: { maxAttempts: 1 } }, (ctx) =>
    ctx.mapSteps(items, "item", body, { pageSize, concurrency }),
  );

it.each([3, 20])(
  "items of pages that have begun come once, and none is left out, where the next build has pages of %i",
  async (pageSize) => {
    const name = `begun-${pageSize}`;
    const calls: number[] = [];
    const held = gate();
    const reached = gate();
    const before = over(name, 10, async (item) => {
      calls.push(item);
      if (item < 15) return;
      reached.open();
      await held.opened;
    });
    const runId = await engine.start(before);
    const old = await engine.worker([before]);
    await reached.opened;
    // The first page has ended; the second one is under way.
    await old.stop(0);
    held.open();

    await engine.worker([over(name, pageSize, (item) => void calls.push(item))]);
    const { run, steps } = await engine.untilEnded(runId);
    expect(run).toMatchObject({ status: "completed", output: { done: 25, failed: 0 } });
    expect([...new Set(calls)].sort((a, b) => a - b)).toEqual(items);
    expect(calls.filter((item) => item !== 15)).toHaveLength(24);
    expect(steps).toHaveLength(pageSize === 3 ? 4 : 3);
  },
);

it.each([
  [3, 4],
  [10, 3],
  [20, 3],
])(
  "a page that a person skips keeps its items, and the map goes on behind it, also in a build with pages of %i",
  async (pageSize, pages) => {
    const name = `skipped-${pageSize}`;
    const calls: number[] = [];
    const body = (item: number) => {
      calls.push(item);
      if (item === 12) throw new Error("no 12");
    };
    const before = over(name, 10, body);
    const runId = await engine.start(before);
    const old = await engine.worker([before]);
    expect((await engine.untilEnded(runId)).run).toMatchObject({ status: "failed", failed_step: "item:page-2" });
    await old.stop(1_000);
    await engine.worker([over(name, pageSize, body)]);
    // What is no run's id is kept as it is.
    const given = { outcome: "skip", reference: "ticket 42" } as const;
    await settleStep(desk(), { runId, step: "item:page-2", ...given, reason });
    const { run, steps } = await engine.untilRun(
      runId,
      (now) => now.run.status === "completed" || now.run.generation > 2,
    );
    expect(run).toMatchObject({ status: "completed", output: { done: 15, failed: 0, parts: [] } });
    expect(calls.filter((item) => item > 12)).toEqual(items.slice(20));
    expect(new Set(steps.map((step) => step.name)).size).toBe(pages);
  },
);

it("branches beside a map get their outcomes in the order in which they came, however long the map's pages are looked for", async () => {
  const taken: string[] = [];
  const workflow = defineWorkflow(
    { name: "beside-a-failed-page", input: z.object({}), retry: { maxAttempts: 1 } },
    async (ctx) => {
      const refused = ctx
        .mapSteps(items, "item", () => Promise.reject(new Error("no")), { pageSize: 10 })
        .then(
          () => "done",
          () => "refused",
        );
      const winner = await Promise.race([refused, ctx.sleep("limit", "1s").then(() => "late")]);
      taken.push(winner);
      await ctx.step(`after ${winner}`, () => undefined);
      await ctx.sleep("nap", "2s");
      return winner;
    },
  );
  const { run } = await engine.runToEnd(workflow);
  expect(run).toMatchObject({ status: "completed", output: "refused" });
  expect(new Set(taken)).toEqual(new Set(["refused"]));
  expect(taken.length).toBeGreaterThan(1);
});

it("a map over a function does not go on behind a page that a person skips: the page alone would have said where", async () => {
  const workflow = defineWorkflow({ name: "skipped-cursor", input: z.object({}), retry: { maxAttempts: 1 } }, (ctx) =>
    ctx.mapSteps(
      (at: number | undefined = 0) => ({ items: [at], next: at < 2 ? at + 1 : null }),
      "item",
      (item) => (item === 1 ? Promise.reject(new Error("no 1")) : item),
    ),
  );
  const runId = await engine.start(workflow);
  await engine.worker([workflow]);
  expect((await engine.untilEnded(runId)).run).toMatchObject({ status: "failed", failed_step: "item:page-2" });
  await settleStep(desk(), { runId, step: "item:page-2", outcome: "skip", reason });
  const { run } = await engine.untilRun(runId, (now) => now.run.generation === 2 && now.run.finished_at !== null);
  expect(run.error).toMatchObject({
    code: "invalid_value",
    message: expect.stringContaining("Rerun from item:page-2"),
  });
});
