import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { Blobs } from "../../blobs/blobs";
import { type Context, defineWorkflow } from "../../engine/workflows/workflow";
import { countByKey, rotate } from "../../store/privacy/payload-rotation";
import { rerun } from "../../testing/actions";
import { blobRows, KEY, large, MIB, memoryBlobs } from "../../testing/blobs";
import { aDesk } from "../../testing/desk";
import { payloadKeysOf, withPayloadKeys } from "../../testing/payload-keys";
import { anEngine } from "../../testing/workers/engine";

const engine = anEngine();
const seal = withPayloadKeys();
const input = z.object({});

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
    expect(await blobRows(engine, run.id)).toMatchObject([
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

async function later<Result>(ms: number, call: () => Promise<Result>): Promise<Result> {
  await delay(ms);
  return call();
}
