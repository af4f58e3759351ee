import { expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { blobRows, large, memoryBlobs } from "../../testing/blobs";
import { until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";

const RUNS = 10;
const engine = anEngine();
const input = z.object({});

it("a blob store that hangs has no slot of a worker for long: the runs wait with a reason, and others go on", async () => {
  const { blobs, faults } = memoryBlobs();
  const exporting = defineWorkflow({ name: "hanging-export", input }, async (ctx) => {
    const text = await ctx.step("export", () => large("x"), { effect: "once" });
    await ctx.sleep("pause", 1_500);
    return text.length;
  });
  const small = defineWorkflow({ name: "hanging-beside", input }, async () => 1);
  const ids = await Promise.all(Array.from({ length: RUNS }, () => engine.start(exporting)));
  await engine.worker([exporting, small], { blobs, concurrency: RUNS });
  for (const id of ids) await until("The put", async () => (await blobRows(engine, id))[0]?.held);
  faults.get = "hangs";
  await until("Every slot taken", async () => {
    const taken = await engine.rows("select from handrail.run where workflow = $1 and worker_id is not null", [
      exporting.name,
    ]);
    return taken.length === RUNS;
  });
  const beside = await engine.start(small);
  const status = async () => (await engine.historyOf(beside)).run.status;
  // The thirty seconds of the first calls, and no more.
  await until("The small run's end", async () => (await status()) === "completed", 45_000);
  expect(await engine.rows("select from handrail.blob_wait where run_id = any ($1)", [ids])).not.toEqual([]);
  faults.get = undefined;
});
