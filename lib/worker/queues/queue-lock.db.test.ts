import { expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { openLanes } from "../../store/queues/queue-lanes";
import { takeOverLostRuns } from "../../store/workers/take-over";
import { aRegisteredWorker } from "../../testing/rows/claims";
import { gate } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import { setFaultHandler } from "../fault-points";
import { claimFromQueues } from "./claim-from-queues";

const engine = anEngine();

it("two simultaneous claims of one queue: the second leaves it to the first, although a more urgent run was added", async () => {
  const workflow = defineWorkflow(
    { name: "one-slot", input: z.object({}), concurrency: { limit: 1 } },
    async () => "done",
  );
  const [one, other] = [await aRegisteredWorker(engine.db), await aRegisteredWorker(engine.db)];
  await engine.start(workflow);
  await openLanes(engine.db, [workflow.name], []);
  const [counted, goOn] = [gate(), gate()];
  setFaultHandler((point) => {
    if (point !== "queue:after-take") return;
    setFaultHandler(undefined);
    counted.open();
    return goOn.opened;
  });
  const first = claimFromQueues(engine.db, one, [workflow], 1);
  // It has taken the only run, and the slot with it; other transactions cannot see that yet.
  await counted.opened;
  await engine.start(workflow, {}, { priority: 100 });
  // Its note is skipped: taking it in would wait for the queue.
  await engine.rows("delete from handrail.queue_note");
  const second = await claimFromQueues(engine.db, other, [workflow], 1);
  goOn.open();
  expect([(await first).runs.length, second.runs.length]).toEqual([1, 0]);
  const [row] = await engine.rows("select count(*)::int as held from handrail.run where worker_id is not null");
  expect(row).toEqual({ held: 1 });
});

it("the slot of a worker that has fallen silent is free when its run is taken over, and not before", async () => {
  const workflow = defineWorkflow(
    { name: "silent-slot", input: z.object({}), concurrency: { limit: 1 } },
    async () => "done",
  );
  const [one, other] = [await aRegisteredWorker(engine.db), await aRegisteredWorker(engine.db)];
  const ids = [await engine.start(workflow), await engine.start(workflow)];
  await openLanes(engine.db, [workflow.name], []);
  const take = async () => (await claimFromQueues(engine.db, other, [workflow], 2)).runs.map(({ id }) => id);
  expect((await claimFromQueues(engine.db, one, [workflow], 1)).runs).toMatchObject([{ id: ids[0] }]);
  await engine.rows("update handrail.worker set lease_expires_at = clock_timestamp() - interval '1 ms' where id = $1", [
    one,
  ]);
  await openLanes(engine.db, [workflow.name], []);
  await engine.rows("update handrail.queue_lane set ready = true, opens_at = null where workflow = $1", [
    workflow.name,
  ]);
  // Its bodies may still be running.
  expect(await take()).toEqual([]);
  expect(await takeOverLostRuns(engine.db)).toEqual([ids[0]]);
  await engine.rows("update handrail.queue_lane set ready = true, opens_at = null where workflow = $1", [
    workflow.name,
  ]);
  expect(await take()).toEqual([ids[0]]);
});
