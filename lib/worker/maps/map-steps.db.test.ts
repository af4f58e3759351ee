import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { MapOptions } from "../../engine/workflows/map-steps";
import type { StepBody } from "../../engine/workflows/step-options";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { closeIntake } from "../../operator/workflows/intake";
import { cancel, rerun, startAgain } from "../../testing/actions";
import { large, memoryBlobs } from "../../testing/blobs";
import { aDesk } from "../../testing/desk";
import { gate, until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import { inputOf } from "../passes/run-code";

const engine = anEngine();
const input = z.object({});
const reason = "because";
const desk = () => aDesk(engine.db);
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const pagesOf = (runId: string) =>
  engine.rows<{ id: string; status: string; failed_step: string | null; run_title: string }>(
    "select id::text, status, failed_step, run_title from handrail.run where parent_run_id = $1 order by id",
    [runId],
  );

/** A workflow over 25 numbers in pages of ten; `body` may refuse some. */
const over = (
  name: string,
  body: (item: number, body: StepBody) => unknown,
  options: MapOptions<number, unknown, unknown> = {},
) =>
  defineWorkflow({ name, input, retry: { maxAttempts: 1 } }, (ctx) =>
    ctx.mapSteps(numbers(25), "item", body, { pageSize: 10, ...options }),
  );

/** Refuses these until it is repaired. */
function refusing(...items: number[]) {
  const calls: number[] = [];
  let broken = true;
  const body = (item: number) => {
    calls.push(item);
    if (broken && items.includes(item)) throw new Error(`no ${item}`);
    return item;
  };
  return { body, calls, repair: () => (broken = false) };
}

describe("a map", () => {
  it("runs each item once, in pages, and gives counts and what reduce made of each page", async () => {
    const { body, calls } = refusing();
    const workflow = over("map-all", body, { reduce: (outputs) => outputs.length });
    const { run, steps } = await engine.runToEnd(workflow);
    expect(run).toMatchObject({ status: "completed", output: { done: 25, failed: 0, parts: [10, 10, 5] } });
    expect(calls.sort((a, b) => a - b)).toEqual(numbers(25));
    expect(steps.map(({ name }) => name)).toEqual(["item:page-1", "item:page-2", "item:page-3"]);
    const pages = await pagesOf(run.id as string);
    expect(pages.map(({ run_title }) => run_title)).toEqual(["item, page 1", "item, page 2", "item, page 3"]);
    const { steps: items } = await engine.historyOf(pages[2]?.id as string);
    expect(items.map(({ name }) => name)).toEqual([20, 21, 22, 23, 24].map((index) => `item:${index}`));
  });

  it("is refused by a worker that knows no pages: the input of a page is none of the workflow's", async () => {
    const month = z.object({ month: z.string() });
    const workflow = defineWorkflow({ name: "map-older", input: month }, (ctx) =>
      ctx.mapSteps([1, 2], "item", () => 1),
    );
    const id = await engine.start(workflow, { month: "2026-11" });
    await engine.worker([workflow]);
    expect((await engine.untilEnded(id)).run.status).toBe("completed");
    const [page] = await engine.rows<{ input: string; inputChecked: boolean; pageOf: string }>(
      `select input, input_checked as "inputChecked", page_of as "pageOf" from handrail.run where parent_run_id = $1`,
      [id],
    );
    if (!page) throw new Error("There is no page.");
    expect(await inputOf(page, workflow)).toMatchObject({});
    await expect(async () => inputOf({ ...page, pageOf: null }, workflow)).rejects.toMatchObject({
      code: "invalid_input",
    });
  });

  it("over nothing is done", async () => {
    const workflow = defineWorkflow({ name: "map-none", input }, (ctx) => ctx.mapSteps([], "item", () => 1));
    expect((await engine.runToEnd(workflow)).run.output).toEqual({ done: 0, failed: 0, parts: [] });
  });

  it("uses what its code had before it, and names its items by their keys", async () => {
    const workflow = defineWorkflow({ name: "map-closure", input }, async (ctx) => {
      const suffix = await ctx.step("suffix", () => "!");
      return ctx.mapSteps(["a", "b"], "shout", (item) => item + suffix, { key: (item) => item, reduce: (all) => all });
    });
    const { run } = await engine.runToEnd(workflow);
    expect(run.output).toEqual({ done: 2, failed: 0, parts: [["a!", "b!"]] });
    const [page] = await pagesOf(run.id as string);
    expect((await engine.historyOf(page?.id as string)).steps.map(({ name }) => name)).toEqual(["shout:a", "shout:b"]);
  });

  it("reads pages by a function, whose items the parent never holds", async () => {
    const workflow = defineWorkflow({ name: "map-cursor", input }, (ctx) =>
      ctx.mapSteps(
        (at: number | undefined = 0) => ({ items: [at, at + 1], next: at < 4 ? at + 2 : null }),
        "row",
        (item) => item,
        { reduce: (outputs) => outputs },
      ),
    );
    const { run } = await engine.runToEnd(workflow);
    const parts = [
      [0, 1],
      [2, 3],
      [4, 5],
    ];
    expect(run.output).toEqual({ done: 6, failed: 0, parts });
    const [, second] = await pagesOf(run.id as string);
    expect((await engine.historyOf(second?.id as string)).steps.map(({ name }) => name)).toEqual([
      "row",
      "row:2",
      "row:3",
    ]);
  });

  it("has as many bodies at a time as its concurrency says, over all pages", async () => {
    const open = gate();
    let now = 0;
    let most = 0;
    const workflow = defineWorkflow({ name: "map-concurrent", input }, (ctx) =>
      ctx.mapSteps(
        numbers(300),
        "item",
        async () => {
          most = Math.max(most, ++now);
          if (now === 100) open.open();
          await open.opened;
          now--;
        },
        { concurrency: 100, pageSize: 60 },
      ),
    );
    await engine.runToEnd(workflow);
    expect(most).toBe(100);
  });
});

describe("a failed item", () => {
  it("stops its page and the map; a rerun of the page and of the parent repeats it alone", async () => {
    const { body, calls, repair } = refusing(3);
    const workflow = over("map-stop", body, { concurrency: 1 });
    const runId = await engine.start(workflow);
    await engine.worker([workflow]);
    const { run } = await engine.untilEnded(runId);
    expect(run).toMatchObject({ status: "failed", failed_step: "item:page-1", error: { code: "child_failed" } });
    expect(calls).toEqual([0, 1, 2, 3]);
    const [page] = await pagesOf(runId);
    expect(page).toMatchObject({ status: "failed", failed_step: "item:3" });
    repair();
    await rerun(desk(), { runId: page?.id as string, reason });
    await engine.untilRun(page?.id as string, (now) => now.run.status === "completed");
    await rerun(desk(), { runId, reason });
    const after = await engine.untilRun(runId, (now) => now.run.status === "completed");
    expect(after.run.output).toEqual({ done: 25, failed: 0, parts: [] });
    expect(calls).toEqual([0, 1, 2, 3, 3, ...numbers(25).slice(4)]);
  });

  it("that is collected is counted, and its page fails: a rerun of the page repeats the failed ones alone", async () => {
    const { body, calls, repair } = refusing(3, 7, 21);
    const workflow = over("map-collect", body, { onError: "collect", reduce: (outputs) => outputs.length });
    const runId = await engine.start(workflow);
    await engine.worker([workflow]);
    const { run } = await engine.untilEnded(runId);
    expect(run).toMatchObject({ status: "completed", output: { done: 22, failed: 3, parts: [8, 10, 4] } });
    const pages = await pagesOf(runId);
    expect(pages.map(({ status }) => status)).toEqual(["failed", "completed", "failed"]);
    const id = pages[0]?.id as string;
    expect((await engine.historyOf(id)).run).toMatchObject({ failed_step: "item:3", error: { code: "items_failed" } });
    repair();
    await rerun(desk(), { runId: id, reason });
    const after = await engine.untilRun(id, (now) => now.run.status === "completed");
    expect(after.run.output).toMatchObject({ done: 10, failed: 0, part: 10 });
    expect(calls).toHaveLength(27);
    expect(calls.slice(25).sort()).toEqual([3, 7]);
  });

  it("that is waited for leaves the parent waiting, until a rerun of the page", async () => {
    const { body, repair } = refusing(12);
    const workflow = over("map-wait", body, { onError: "wait" });
    const runId = await engine.start(workflow);
    await engine.worker([workflow]);
    const page = await engine
      .untilRun(runId, ({ run }) => run.status === "waiting" && run.waiting_step === "item:page-2")
      .then(async () => (await pagesOf(runId))[1]?.id as string);
    await engine.untilRun(page, ({ run }) => run.status === "failed");
    repair();
    await rerun(desk(), { runId: page, reason });
    expect((await engine.untilEnded(runId)).run.output).toMatchObject({ done: 25, failed: 0 });
  });
});

describe("a page", () => {
  it("is a part of its run: it has begun, with the run's deadline, priority and chosen version", async () => {
    const workflow = over("map-part", (item) => item);
    await engine.worker([workflow]);
    const id = await engine.start(workflow, {}, { priority: 7, version: 1, endWithinMs: 3_600_000 });
    const { run } = await engine.untilEnded(id);
    const pages = await engine.rows(
      `select priority, chosen_version, deadline_at, started_at - created_at < interval '1 ms' as "hasBegun"
      from handrail.run where parent_run_id = $1`,
      [id],
    );
    const part = { priority: 7, chosen_version: 1, deadline_at: run.deadline_at, hasBegun: true };
    expect(pages).toEqual([part, part, part]);
  });

  it("goes on while its workflow's new runs are paused", async () => {
    const opens = gate();
    const workflow = over("map-drained", (item) => (item === 0 ? opens.opened : item), { concurrency: 1 });
    await engine.worker([workflow]);
    const id = await engine.start(workflow);
    await until("The first page", async () => (await pagesOf(id))[0]?.status === "running");
    await closeIntake(desk(), { workflow: workflow.name, holds: "new", reason });
    opens.open();
    expect((await engine.untilEnded(id)).run.status).toBe("completed");
  });

  it("does not need the values of the pages before it", async () => {
    const { blobs, kept } = memoryBlobs();
    const { body, repair } = refusing(15);
    const workflow = over("map-large", body, { onError: "collect", reduce: () => large("p") });
    const { run } = await engine.runToEnd(workflow, {}, { blobs });
    expect(run.status).toBe("completed");
    const [, second] = await pagesOf(run.id as string);
    repair();
    for (const key of kept.keys()) if (key.startsWith(run.id as string)) kept.delete(key);
    await rerun(desk(), { runId: second?.id as string, reason });
    expect((await engine.untilEnded(second?.id as string)).run.status).toBe("completed");
  });

  it("whose reduce gives what cannot be kept says so, and a rerun still repeats its failed items alone", async () => {
    const { body, calls, repair } = refusing(3);
    let mib = 1;
    const workflow = over("map-reduce-large", body, { onError: "collect", reduce: () => large("r", mib) });
    const { run } = await engine.runToEnd(workflow);
    const [first] = await pagesOf(run.id as string);
    const page = (await engine.historyOf(first?.id as string)).run;
    expect(page).toMatchObject({ status: "failed", failed_step: "item:3", error: { code: "value_too_large" } });
    repair();
    mib = 0;
    const before = calls.length;
    await rerun(desk(), { runId: first?.id as string, reason });
    expect((await engine.untilEnded(first?.id as string)).run.status).toBe("completed");
    expect(calls.slice(before)).toEqual([3]);
  });

  it("ends with its parent's cancel", async () => {
    const workflow = over(
      "map-cancel",
      (_, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    );
    const runId = await engine.start(workflow);
    await engine.worker([workflow]);
    await engine.untilRun(runId, ({ run }) => run.status === "waiting");
    await cancel(desk(), { runId, reason });
    const [page] = await pagesOf(runId);
    expect((await engine.untilEnded(page?.id as string)).run.status).toBe("cancelled");
  });

  it("is not started again by itself", async () => {
    const workflow = over("map-again", () => 1);
    const { run } = await engine.runToEnd(workflow);
    const [page] = await pagesOf(run.id as string);
    await expect(startAgain(desk(), { runId: page?.id as string, reason })).rejects.toMatchObject({
      code: "not_allowed",
      message: expect.stringContaining("page of mapSteps"),
    });
  });

  it("takes no part in what its workflow says of runs: singleton, queue, schema, compensation", async () => {
    const workflow = defineWorkflow(
      {
        ...{ name: "map-limits", input: z.object({ id: z.string() }), onFailure: "compensate" as const },
        singleton: { key: ({ id }: { id: string }) => id },
        concurrency: { limit: 1 },
      },
      (ctx, { id }) => ctx.mapSteps(numbers(3), "item", () => id, { reduce: (ids) => ids }),
    );
    const { run } = await engine.runToEnd(workflow, { id: "one" });
    expect(run).toMatchObject({ status: "completed", output: { parts: [["one", "one", "one"]] } });
  });

  it("whose map the code no longer has fails, and says so", async () => {
    const held = gate();
    const before = over("map-gone", () => held.opened, { concurrency: 1 });
    const runId = await engine.start(before);
    const worker = await engine.worker([before], { leaseMs: 60_000 });
    await engine.untilRun(runId, ({ run }) => run.status === "waiting");
    const [page] = await pagesOf(runId);
    await engine.untilRun(page?.id as string, ({ run }) => run.status === "running");
    const stopped = worker.stop(50);
    held.open();
    await stopped;
    const after = defineWorkflow({ name: "map-gone", input, drift: "go_on" }, (ctx) => ctx.sleep("long", "1h"));
    await engine.worker([after]);
    expect((await engine.untilEnded(page?.id as string)).run.error).toMatchObject({ code: "drifted" });
    await cancel(desk(), { runId, reason });
  });
});

describe("is refused before anything is written", () => {
  it.each<[string, MapOptions<number, unknown, unknown>, string]>([
    ["a concurrency of 0", { concurrency: 0 }, "invalid_value"],
    ["a concurrency above 500", { concurrency: 501 }, "invalid_value"],
    ["a page of 501 items", { pageSize: 501 }, "invalid_value"],
    ["keys that are not unique", { key: () => "same" }, "invalid_value"],
    ["another onError", { onError: "ignore" as never }, "invalid_value"],
    ["a compensation", { compensate: () => undefined } as never, "invalid_workflow"],
    ["a wrong timeout", { timeoutMs: 0 }, "invalid_workflow"],
  ])("%s", async (what, options, code) => {
    const { run, steps } = await engine.runToEnd(
      over(`map-${what.toLowerCase().replaceAll(" ", "-")}`, () => 1, options),
    );
    expect(run).toMatchObject({ status: "failed", error: { code } });
    expect(steps).toEqual([]);
  });
});
