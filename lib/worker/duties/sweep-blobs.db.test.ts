import { expect, it } from "vitest";
import { z } from "zod";
import { Blobs } from "../../blobs/blobs";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { announceBlob } from "../../store/blobs/announce";
import { deleteRun } from "../../store/runs/delete-run";
import { erase } from "../../testing/actions";
import { blobRows, KEY, large, memoryBlobs } from "../../testing/blobs";
import { aDesk } from "../../testing/desk";
import { gate, until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import { sweepBlobs } from "./sweep-blobs";

const engine = anEngine();
const input = z.object({});

const aLargeRun = async (name: string, blobs: ReturnType<typeof memoryBlobs>["blobs"]) => {
  const workflow = defineWorkflow({ name, input }, async (ctx) => {
    await ctx.step("a", () => large("a"), { effect: "pure" });
    return large("b");
  });
  const id = await engine.start(workflow);
  const worker = await engine.worker([workflow], { blobs });
  await engine.untilEnded(id);
  await worker.stop(50);
  return id;
};
const goneOf = async (id: string) => (await blobRows(engine, id)).map(({ gone }) => gone);
const due = () => engine.rows("update handrail.blob set due_at = clock_timestamp() where gone_at is not null");

it("the blobs of an erased run go with its values, and their rows after them", async () => {
  const store = memoryBlobs();
  const id = await aLargeRun("gone-erased", store.blobs);
  await erase(aDesk(engine.db), { runId: id, reason: "asked" });
  expect(await goneOf(id)).toEqual([true, true]);
  store.faults.delete = "fails";
  const blobs = new Blobs(engine.db, store.blobs);
  await expect(sweepBlobs(engine.db, blobs)).rejects.toThrow("503");
  expect(await blobRows(engine, id)).toMatchObject([{ failures: 1, error: "503 SlowDown at delete" }, { failures: 1 }]);
  expect(await engine.rows("select from handrail.blob where due_at > clock_timestamp() + interval '31 s'")).toEqual([]);
  // Not at once again.
  store.faults.delete = "loses the answer";
  await sweepBlobs(engine.db, blobs);
  expect(store.kept.size).toBe(2);
  await due();
  await expect(sweepBlobs(engine.db, blobs)).rejects.toThrow("hang up");
  await due();
  store.faults.delete = undefined;
  await sweepBlobs(engine.db, blobs);
  expect([await blobRows(engine, id), store.kept.size]).toEqual([[], 0]);
});

it("a blob that the store refuses to delete holds up no other", async () => {
  const store = memoryBlobs();
  const id = await aLargeRun("gone-refused", store.blobs);
  await erase(aDesk(engine.db), { runId: id, reason: "asked" });
  const [locked] = (await blobRows(engine, id)).map(({ key }) => key);
  // As the documented store of S3: one by one, up to the first that is refused.
  const deleteInTurn = async (keys: readonly string[], signal: AbortSignal) => {
    for (const key of keys) {
      if (key === locked) throw new Error("403 AccessDenied: object lock");
      await store.blobs.delete([key], signal);
    }
  };
  const blobs = new Blobs(engine.db, { ...store.blobs, delete: deleteInTurn });
  await expect(sweepBlobs(engine.db, blobs)).rejects.toThrow("403");
  expect(await blobRows(engine, id)).toMatchObject([{ key: locked, error: "403 AccessDenied: object lock" }]);
  expect([...store.kept.keys()]).toEqual([locked]);
});

it("a delete that hangs is abandoned once nothing more is to be begun, which is no failure of the store", async () => {
  const store = memoryBlobs();
  const id = await aLargeRun("gone-hangs", store.blobs);
  await erase(aDesk(engine.db), { runId: id, reason: "asked" });
  store.faults.delete = "hangs";
  let stopped = false;
  const sweep = sweepBlobs(engine.db, new Blobs(engine.db, store.blobs), () => stopped);
  await until("The delete", () => store.calls.delete === 1);
  const began = performance.now();
  stopped = true;
  await sweep;
  expect(performance.now() - began).toBeLessThan(5_000);
  expect(await blobRows(engine, id)).toMatchObject([
    { gone: true, error: null },
    { gone: true, error: null },
  ]);
  expect(store.calls.delete).toBe(1);
});

it("the blobs of a deleted run are due in the transaction that deletes it", async () => {
  const store = memoryBlobs();
  const id = await aLargeRun("gone-deleted", store.blobs);
  await engine.worker([], { blobs: store.blobs });
  await engine.rows("update handrail.rollup_fold set ended_at = clock_timestamp()");
  await until("The deletion", async () => "deleted" in (await engine.db.transaction((tx) => deleteRun(tx, id))));
  await until("The blobs' end", async () => (await blobRows(engine, id)).length === 0 && store.kept.size === 0);
});

it("what was announced and never referred to goes after an hour; never what a claim that lasts may refer to, nor what is held", async () => {
  const store = memoryBlobs();
  const id = await aLargeRun("gone-left-behind", store.blobs);
  const [begun, ended] = [gate(), gate()];
  const holding = defineWorkflow({ name: "gone-lasts", input }, async (ctx) => {
    await ctx.step("hold", () => {
      begun.open();
      return ended.opened;
    });
  });
  const running = await engine.start(holding);
  await engine.worker([holding], { blobs: store.blobs });
  await begun.opened;
  const { epoch } = (await engine.historyOf(running)).run as unknown as { epoch: number };
  const announce = (key: string, runId: string, writer: { runId: string; epoch: number } | null) =>
    announceBlob(engine.db, { key, place: [runId, "output"], writer, size: 1, sealedWith: null, error: null });
  await announce("over", id, { runId: id, epoch: 1 });
  await announce("start", id, null);
  await announce("lasts", running, { runId: running, epoch });
  const blobs = new Blobs(engine.db, store.blobs);
  await sweepBlobs(engine.db, blobs);
  expect(await blobRows(engine, id)).toHaveLength(4);
  await engine.rows("update handrail.blob set made_at = made_at - interval '61 minutes'");
  await sweepBlobs(engine.db, blobs);
  expect((await blobRows(engine, id)).map(({ key }) => key)).toEqual([
    expect.stringMatching(KEY),
    expect.stringMatching(KEY),
  ]);
  expect((await blobRows(engine, running)).map(({ key }) => key)).toEqual(["lasts"]);
  expect(store.kept.size).toBe(2);
  // What comes so late is refused: nothing refers to what is being deleted.
  await expect(
    engine.rows(
      `update handrail.run set output = '{"$type":"blob","key":"start","size":1,"sha256":""}' where id = $1`,
      [id],
    ),
  ).rejects.toThrow(/not there any more/);
  ended.open();
  await engine.untilEnded(running);
});
