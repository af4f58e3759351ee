import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { aRegisteredWorker } from "../../testing/rows/claims";
import { gate } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import { claimRuns } from "./claim-runs";
import { takeOverLostRuns } from "./take-over";
import { markWorkerStopped } from "./workers";

const engine = anEngine();
const workflow = defineWorkflow({ name: "claimed-at-the-end", input: z.object({}) }, async () => "done");

/** An abandoned claim may commit while its worker stops. */
it("a worker does not stop while its claim is in progress", async () => {
  const runId = await engine.start(workflow);
  const workerId = await aRegisteredWorker(engine.db);
  const claimed = gate();
  const committing = gate();
  const claim = engine.db.transaction(async (tx) => {
    const { runs } = await claimRuns(tx, workerId, [workflow], 1);
    claimed.open();
    await committing.opened;
    return runs;
  });
  await claimed.opened;
  const gone = markWorkerStopped(engine.db, workerId);
  // The stop waits for the claim as long as it may.
  await Promise.race([gone, delay(300)]);
  committing.open();
  expect(await claim).toMatchObject([{ id: runId }]);
  await gone;
  expect(await engine.rows("select stopped_at from handrail.worker where id = $1", [workerId])).toEqual([
    { stopped_at: null },
  ]);
  await engine.endLeases();
  expect(await takeOverLostRuns(engine.db)).toEqual([runId]);
});
