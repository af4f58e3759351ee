import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { Blobs } from "../../blobs/blobs";
import { type Context, defineWorkflow } from "../../engine/workflows/workflow";
import { createLogger } from "../../log";
import { readRun } from "../../operator/runs/reads";
import { countByKey, rotate } from "../../store/privacy/payload-rotation";
import { rerun } from "../../testing/actions";
import { KEY, large, MIB, memoryBlobs } from "../../testing/blobs";
import { aDesk } from "../../testing/desk";
import { payloadKeysOf, withPayloadKeys } from "../../testing/payload-keys";
import { until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";

const engine = anEngine();
const seal = withPayloadKeys();
const input = z.object({});

const blobRows = (runId: string) =>
  engine.rows<{ key: string; place: string; held: boolean; gone: boolean; error: string | null; failures: number }>(
    "select key, place, held, gone_at is not null as gone, error, failures from handrail.blob where run_id = $1 order by place",
    [runId],
  );
const keyOf = ([step]: { output: unknown }[]) => (step as { output: { key: string } }).output.key;
const refTo = (size: number) => ({
  $type: "blob",
  key: expect.stringMatching(KEY),
  size,
  sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
});

describe("with a blob store", () => {
  it("a step's output and a run's result over 1 MiB are kept there, a reference in their place, and replayed", async () => {
    const { blobs, kept, calls } = memoryBlobs();
    const seen: string[] = [];
    const workflow = defineWorkflow({ name: "large", input }, async (ctx) => {
      const a = await ctx.step("a", () => large("a"), { effect: "pure" });
      const small = await ctx.step("small", () => "s".repeat(MIB - 2), { effect: "pure" });
      await ctx.sleep("pause", 1_500);
      seen.push(a.slice(0, 3), small.slice(0, 1));
      return { both: a + small };
    });
    const { run, steps } = await engine.runToEnd(workflow, {}, { blobs });
    expect(run).toMatchObject({ status: "completed", output: refTo(2 * MIB - 2 + 11) });
    expect(steps[0]?.output).toEqual(refTo(MIB + 2));
    expect(steps[1]?.output).toHaveLength(MIB - 2);
    expect(seen).toEqual(["aaa", "s"]);
    // The pass after the sleep has read it.
    expect(calls).toEqual({ put: 2, get: 1, delete: 0 });
    expect(await blobRows(run.id)).toMatchObject([
      { place: "output", held: true, gone: false, error: null },
      { place: "step 1 a", held: true, gone: false, error: null },
    ]);
    const key = keyOf(steps);
    expect(Buffer.from(kept.get(key) as Uint8Array).toString()).toBe(JSON.stringify(large("a")));
  });

  it("outcomes come in their order, also when a large one is read for longer than a small one", async () => {
    const { blobs } = memoryBlobs();
    const first: string[] = [];
    const workflow = defineWorkflow({ name: "large-race", input }, async (ctx) => {
      const one = ctx.step("large", () => large("1"), { effect: "pure" }).then(() => "large");
      const other = ctx
        .step("small", () => new Promise((resume) => setTimeout(resume, 600, "2")), { effect: "pure" })
        .then(() => "small");
      first.push(await Promise.race([one, other]));
      await Promise.all([one, other]);
      await ctx.sleep("pause", 1_500);
      return "done";
    });
    const slow = { ...blobs, get: (key: string, signal: AbortSignal) => later(300, () => blobs.get(key, signal)) };
    expect((await engine.runToEnd(workflow, {}, { blobs: slow })).run.status).toBe("completed");
    expect(first).toEqual(["large", "large"]);
  });

  it("a transactional step, a child's output, a page's and a compensation have large values, too; a rerun reads them", async () => {
    const { blobs } = memoryBlobs();
    const child = defineWorkflow({ name: "large-child", input }, async () => large("c"));
    const undone: number[] = [];
    let broken = true;
    const code =
      (compensates: boolean) =>
      async (ctx: Context): Promise<number> => {
        const kept = await ctx.transaction("keep", async () => large("t"), {
          ...(compensates && { compensate: (output: string) => void undone.push(output.length) }),
        });
        const made = await ctx.child("made", child, {});
        const mapped = await ctx.mapSteps([1, 2], "item", () => "m".repeat(MIB - 2), { reduce: (all) => all.join("") });
        const last = () => {
          if (broken) throw new Error("not yet");
        };
        await ctx.step("last", last, { effect: "pure", retry: { maxAttempts: 1 } });
        return kept.length + made.length + (mapped.parts[0] as string).length;
      };
    const workflow = defineWorkflow({ name: "large-parts", input }, code(false));
    const undoing = defineWorkflow({ name: "large-undone", input, onFailure: "compensate" }, code(true));
    const [id, other] = [await engine.start(workflow), await engine.start(undoing)];
    await engine.worker([workflow, undoing, child], { blobs });
    expect((await engine.untilEnded(id)).run.status).toBe("failed");
    expect((await engine.untilEnded(other)).run.status).toBe("compensated");
    expect(undone).toEqual([MIB]);
    broken = false;
    await rerun(aDesk(engine.db), { runId: id, reason: "again" });
    const { run } = await engine.untilRun(id, (history) => history.run.status === "completed");
    expect(run.output).toBe(MIB + MIB + 2 * (MIB - 2));
  });

  it("sealed payloads are sealed in the store, and bound to their row", async () => {
    seal("one");
    const { blobs, kept } = memoryBlobs();
    const workflow = defineWorkflow({ name: "large-sealed", input }, async (ctx) => {
      const a = await ctx.step("a", () => large("canary "), { effect: "pure" });
      await ctx.sleep("pause", 1_500);
      return a.length;
    });
    const id = await engine.start(workflow);
    await engine.worker([workflow], { blobs });
    const { run, steps } = await engine.untilEnded(id);
    expect(run).toMatchObject({ status: "completed", output: 7 * MIB });
    const key = keyOf(steps);
    const bytes = Buffer.from(kept.get(key) as Uint8Array);
    expect(bytes.toString("latin1", 0, 22)).toBe("handrail sealed 1 one\n");
    expect(bytes.includes("canary")).toBe(false);
    const reader = new Blobs(engine.db, blobs);
    const [text] = await engine.rows<{ output: string }>(
      "select output from handrail.step where run_id = $1 and name = 'a'",
      [id],
    );
    expect(await reader.loaded([id, "step", "a", 1], text?.output as string)).toHaveLength(7 * MIB + 2);
    await expect(reader.loaded([id, "step", "b", 1], text?.output as string)).rejects.toMatchObject({
      code: "payload_locked",
    });
    // A rotation leaves what is in the store as it is, and counts it.
    seal("two", "one");
    await rotate(engine.db, payloadKeysOf("two", "one"));
    expect((await countByKey(engine.db)).get("one")).toBeGreaterThanOrEqual(1);
    expect(await reader.loaded([id, "step", "a", 1], text?.output as string)).toHaveLength(7 * MIB + 2);
    expect(await engine.rows("select sealed_with from handrail.blob where key = $1", [key])).toEqual([
      { sealed_with: "one" },
    ]);
  });

  it("the same value cannot stand in another place, and no reference to what is not there", async () => {
    const { blobs } = memoryBlobs();
    const workflow = defineWorkflow({ name: "large-moved", input }, async (ctx) => {
      await ctx.step("a", () => large("a"), { effect: "pure" });
      return 1;
    });
    const { run } = await engine.runToEnd(workflow, {}, { blobs });
    await expect(
      engine.rows(
        "update handrail.run set output = (select output from handrail.step where run_id = run.id) where id = $1",
        [run.id],
      ),
    ).rejects.toThrow(/the blob of this value/);
  });

  it("over 64 MiB, the step fails and says what the cap is", async () => {
    const { blobs, calls } = memoryBlobs();
    const workflow = defineWorkflow({ name: "large-too-much", input, retry: { maxAttempts: 1 } }, async (ctx) => {
      await ctx.step("a", () => large("a", 64), { effect: "pure" });
    });
    const { run } = await engine.runToEnd(workflow, {}, { blobs });
    expect(run.error).toMatchObject({ message: expect.stringMatching(/the cap is 67,108,864/) });
    expect(calls.put).toBe(0);
  });
});

it("without a blob store, a large output fails its step and says what to do", async () => {
  const workflow = defineWorkflow({ name: "large-without", input, retry: { maxAttempts: 1 } }, async (ctx) => {
    await ctx.step("a", () => large("a"), { effect: "pure" });
  });
  const { run } = await engine.runToEnd(workflow);
  expect(run.error?.message).toMatch(/the cap is 1,048,576\. A blob store takes larger outputs .*\(docs\/blobs\.md\)/);
});

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
    expect((await blobRows(id))[0]?.error).toBe("503 SlowDown at put");
    expect((await readRun(engine.db, id)).summary).toMatch("“Charge” waits for the blob store. It said: 503 SlowDown");
    faults.put = undefined;
    expect((await engine.untilEnded(id)).run).toMatchObject({ status: "completed", output: MIB });
    expect(calls).toHaveLength(1);
    expect(await blobRows(id)).toMatchObject([{ held: true, error: null }]);
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
      await until("The put", async () => (await blobRows(id))[0]?.held);
      faults.get = fault;
      const { run } = await engine.untilRun(id, ({ run }) => run.waiting_kind === "blob");
      expect(run).toMatchObject({ status: "waiting", waiting_step: "charge", worker_id: null });
      expect((await blobRows(id))[0]?.error).toMatch(why);
      const { summary, blobError } = await readRun(engine.db, id);
      expect(summary).toMatch(/^Charge is done\. Waiting for the blob store at “Charge”\. It said: /);
      expect(blobError).toMatch(why);
      faults.get = undefined;
      expect((await engine.untilEnded(id)).run).toMatchObject({ status: "completed", output: MIB });
      expect((await readRun(engine.db, id)).blobError).toBeNull();
      expect(calls).toHaveLength(1);
    },
  );

  it("hangs at a get holds up neither other runs nor a stop of the worker, which hands the run back", async () => {
    const { blobs, faults, calls: made } = memoryBlobs();
    const { workflow } = once("store-hangs-at-get");
    const small = defineWorkflow({ name: "store-hangs-beside", input }, async () => 1);
    const id = await engine.start(workflow);
    const worker = await engine.worker([workflow, small], { blobs });
    await until("The put", async () => (await blobRows(id))[0]?.held);
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
    await until("The put", async () => (await blobRows(id))[0]?.held);
    kept.clear();
    await engine.untilRun(id, ({ run }) => run.waiting_kind === "blob");
    expect((await blobRows(id))[0]?.error).toMatch(/nothing is there under the key/);
    await first.stop(50);
    await engine.worker([workflow]);
    await until("The other reason", async () => /this process has none/.test((await blobRows(id))[0]?.error ?? ""));
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

async function later<Result>(ms: number, call: () => Promise<Result>): Promise<Result> {
  await delay(ms);
  return call();
}
