import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { type Context, defineWorkflow } from "../../engine/workflows/workflow";
import { createLogger } from "../../log";
import { readRun } from "../../operator/runs/reads";
import { blobRows, large, MIB, memoryBlobs } from "../../testing/blobs";
import { until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";

const engine = anEngine();
const input = z.object({});

const waits = async (runId: string) =>
  (
    await engine.rows<{ error: string; failures: number; since: Date }>(
      "select error, failures, since from handrail.blob_wait where run_id = $1",
      [runId],
    )
  )[0];

describe("a blob store that", () => {
  const once = (name: string) => {
    const calls: number[] = [];
    const workflow = defineWorkflow({ name, input }, async (ctx) => {
      const text = await ctx.step(
        "charge",
        () => {
          calls.push(1);
          return large("x");
        },
        { effect: "once" },
      );
      await ctx.sleep("pause", 1_500);
      return text.length;
    });
    return { calls, workflow };
  };

  it("refuses a put is called again: the step's body has had its effect, and does not fail", async () => {
    const { blobs, faults, calls: made } = memoryBlobs();
    const { calls, workflow } = once("store-refuses");
    faults.put = "fails";
    const id = await engine.start(workflow);
    const log = createLogger("test", "silent");
    const warn = vi.spyOn(log, "warn");
    await engine.worker([workflow], { blobs, log });
    await until("Three tries", () => made.put >= 3);
    const said = { runId: id, value: "charge", error: "503 SlowDown at put", failures: 1 };
    expect(warn).toHaveBeenCalledWith(said, expect.stringContaining("could not be put into the blob store"));
    expect((await engine.historyOf(id)).steps[0]).toMatchObject({ status: "running" });
    expect(await blobRows(engine, id)).toMatchObject([{ error: "503 SlowDown at put" }]);
    expect((await waits(id))?.failures).toBeGreaterThanOrEqual(2);
    expect((await readRun(engine.db, id)).summary).toMatch("“Charge” waits for the blob store. It said: 503 SlowDown");
    faults.put = undefined;
    expect((await engine.untilEnded(id)).run).toMatchObject({ status: "completed", output: MIB });
    expect(calls).toHaveLength(1);
    expect(await blobRows(engine, id)).toMatchObject([{ held: true, error: null }]);
  });

  it("refuses a put of a step that may be repeated: its attempt is on record meanwhile, as that of a long body", async () => {
    const { blobs, faults } = memoryBlobs();
    const code = async (ctx: Context) => (await ctx.step("export", () => large("x"))).length;
    const workflow = defineWorkflow({ name: "store-refuses-twice", input }, code);
    faults.put = "fails";
    const id = await engine.start(workflow);
    await engine.worker([workflow], { blobs });
    const step = async () => (await engine.historyOf(id)).steps[0];
    await until("The attempt", async () => (await step())?.status === "running");
    faults.put = undefined;
    expect((await engine.untilEnded(id)).run).toMatchObject({ status: "completed", output: MIB });
    expect(await step()).toMatchObject({ status: "completed", attempt: 1 });
  });

  it("loses the answer of a put has the bytes; the same bytes are put again", async () => {
    const { blobs, faults, kept, calls: made } = memoryBlobs();
    const { workflow } = once("store-loses");
    faults.put = "loses the answer";
    const id = await engine.start(workflow);
    await engine.worker([workflow], { blobs });
    await until("Two tries", () => made.put >= 2);
    faults.put = undefined;
    expect((await engine.untilEnded(id)).run.status).toBe("completed");
    expect(kept.size).toBe(1);
  });

  it("hangs when a worker stops: the outcome of a step with effect once is unknown, not failed", async () => {
    const { blobs, faults, calls: made } = memoryBlobs();
    const { workflow } = once("store-hangs");
    faults.put = "hangs";
    const id = await engine.start(workflow);
    const worker = await engine.worker([workflow], { blobs });
    await until("The put", () => made.put === 1);
    await worker.stop(50);
    expect((await engine.historyOf(id)).steps[0]).toMatchObject({ status: "unknown" });
  });

  it.each([
    ["is down", "fails", /503 SlowDown at get/],
    ["lies", "lies", /other bytes are there/],
  ] as const)(
    "%s delays the run with a reason, fails nothing, and the run goes on when it is back",
    async (what, fault, why) => {
      const { blobs, faults } = memoryBlobs();
      const { workflow, calls } = once(`store-read-${what.replaceAll(" ", "-")}`);
      const id = await engine.start(workflow);
      await engine.worker([workflow], { blobs });
      await until("The put", async () => (await blobRows(engine, id))[0]?.held);
      faults.get = fault;
      const { run } = await engine.untilRun(id, ({ run }) => run.waiting_kind === "blob");
      expect(run).toMatchObject({ status: "waiting", waiting_step: "charge", worker_id: null });
      // Not since the run was made, nor since the last try.
      expect(await waits(id)).toMatchObject({ error: expect.stringMatching(why), since: run.waiting_since });
      const { summary, blobError } = await readRun(engine.db, id);
      expect(summary).toMatch(/^Charge is done\. Waiting for the blob store at “Charge”\. It said: /);
      expect(blobError).toMatch(why);
      faults.get = undefined;
      expect((await engine.untilEnded(id)).run).toMatchObject({ status: "completed", output: MIB });
      expect((await readRun(engine.db, id)).blobError).toBeNull();
      expect(calls).toHaveLength(1);
    },
  );

  it("is down while a parent waits for its child's value: it is the parent that waits, and says for which step", async () => {
    const { blobs, faults } = memoryBlobs();
    const child = defineWorkflow({ name: "store-child", input }, async () => {
      faults.get = "fails";
      return large("c");
    });
    const parent = defineWorkflow({ name: "store-parent", input }, async (ctx) => {
      return (await ctx.child("export", child, {})).length;
    });
    const id = await engine.start(parent);
    await engine.worker([parent, child], { blobs });
    const { run } = await engine.untilRun(id, ({ run }) => run.waiting_kind === "blob");
    expect(run.waiting_step).toBe("export");
    expect(await waits(id)).toMatchObject({ error: "503 SlowDown at get", since: run.waiting_since });
    expect((await readRun(engine.db, id)).blobError).toBe("503 SlowDown at get");
    faults.get = undefined;
    expect((await engine.untilEnded(id)).run).toMatchObject({ status: "completed", output: MIB });
  });

  it("hangs holds up no stop, also of runs that stand in line for it", async () => {
    const { blobs, faults, calls: made } = memoryBlobs();
    const { workflow } = once("store-line");
    const ids = await Promise.all(Array.from({ length: 10 }, () => engine.start(workflow)));
    const worker = await engine.worker([workflow], { blobs });
    for (const id of ids) await until("The put", async () => (await blobRows(engine, id))[0]?.held);
    faults.get = "hangs";
    await until("Four gets", () => made.get === 4);
    await until("The others are in line", async () => {
      const held = await engine.rows("select from handrail.run where workflow = $1 and worker_id is not null", [
        workflow.name,
      ]);
      return held.length === 10;
    });
    const began = performance.now();
    await worker.stop(50);
    expect(performance.now() - began).toBeLessThan(15_000);
    expect(made.get).toBe(4);
    expect(await engine.rows("select from handrail.blob_wait where run_id = any ($1)", [ids])).toEqual([]);
  });

  it("hangs at a get holds up neither other runs nor a stop of the worker, which hands the run back", async () => {
    const { blobs, faults, calls: made } = memoryBlobs();
    const { workflow } = once("store-hangs-at-get");
    const small = defineWorkflow({ name: "store-hangs-beside", input }, async () => 1);
    const id = await engine.start(workflow);
    const worker = await engine.worker([workflow, small], { blobs });
    await until("The put", async () => (await blobRows(engine, id))[0]?.held);
    faults.get = "hangs";
    await until("The get", () => made.get === 1);
    const beside = await engine.start(small);
    expect((await engine.untilEnded(beside)).run.status).toBe("completed");
    const began = performance.now();
    await worker.stop(50);
    expect(performance.now() - began).toBeLessThan(10_000);
    expect((await engine.historyOf(id)).run).toMatchObject({
      status: "waiting",
      waiting_kind: "blob",
      worker_id: null,
    });
    faults.get = undefined;
    await engine.worker([workflow], { blobs });
    expect((await engine.untilEnded(id)).run).toMatchObject({ status: "completed", output: MIB });
  });

  it("lost a value, or that this worker does not have, delays the run, which can be cancelled", async () => {
    const { blobs, kept } = memoryBlobs();
    const { workflow } = once("store-lost");
    const id = await engine.start(workflow);
    const first = await engine.worker([workflow], { blobs });
    await until("The put", async () => (await blobRows(engine, id))[0]?.held);
    kept.clear();
    await engine.untilRun(id, ({ run }) => run.waiting_kind === "blob");
    expect((await waits(id))?.error).toMatch(/nothing is there under the key/);
    await first.stop(50);
    await engine.worker([workflow]);
    await until("The other reason", async () => /this process has none/.test((await waits(id))?.error ?? ""));
    await engine.rows("update handrail.run set cancel_requested_at = clock_timestamp() where id = $1", [id]);
    expect((await engine.untilEnded(id)).run.status).toBe("cancelled");
  });

  it("refuses a put of a transactional step rolls it back, and the step waits without a failure", async () => {
    const { blobs, faults, calls: made } = memoryBlobs();
    const workflow = defineWorkflow(
      { name: "store-transaction", input, retry: { maxAttempts: 1 } },
      async (ctx) => (await ctx.transaction("keep", async () => large("t"))).length,
    );
    faults.put = "fails";
    const id = await engine.start(workflow);
    await engine.worker([workflow], { blobs });
    const { steps } = await engine.untilRun(id, ({ run }) => run.status === "waiting");
    expect(steps[0]).toMatchObject({ status: "waiting", failures: 0 });
    expect(made.put).toBe(4);
    faults.put = undefined;
    expect((await engine.untilEnded(id)).run).toMatchObject({ status: "completed", output: MIB });
  });

  it("refuses the result of a run: the run waits, and ends when it is back", async () => {
    const { blobs, faults } = memoryBlobs();
    const workflow = defineWorkflow({ name: "store-result", input }, async () => large("r"));
    faults.put = "fails";
    const id = await engine.start(workflow);
    await engine.worker([workflow], { blobs });
    const { run } = await engine.untilRun(id, ({ run }) => run.waiting_kind === "blob");
    expect(run.waiting_step).toBeNull();
    faults.put = undefined;
    expect((await engine.untilEnded(id)).run.status).toBe("completed");
  });
});
