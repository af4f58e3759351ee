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

it("a page that a person skips counts nothing, and the map goes on behind it", async () => {
  const calls: number[] = [];
  const workflow = over("skipped-page", 10, (item) => {
    calls.push(item);
    if (item === 12) throw new Error("no 12");
  });
  const runId = await engine.start(workflow);
  await engine.worker([workflow]);
  expect((await engine.untilEnded(runId)).run).toMatchObject({ status: "failed", failed_step: "item:page-2" });
  await settleStep(desk(), { runId, step: "item:page-2", outcome: "skip", reason });
  await engine
    .untilRun(runId, ({ run }) => run.status !== "failed" || run.failed_step !== "item:page-2")
    .catch(() => 0);
  const { run } = await engine.untilRun(runId, (now) => now.run.status === "completed");
  expect(run.output).toEqual({ done: 15, failed: 0, parts: [] });
  expect(calls.filter((item) => item > 12)).toEqual(items.slice(20));
});
