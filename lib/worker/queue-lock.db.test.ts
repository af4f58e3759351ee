import { expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../engine/workflow";
import { openLanes } from "../store/queue-lanes";
import { aRegisteredWorker } from "../testing/claims";
import { anEngine } from "../testing/engine";
import { gate } from "../testing/until";
import { claimFromQueues } from "./claim-from-queues";
import { setFaultHandler } from "./fault-points";

const engine = anEngine();

it("two claims of one queue at one instant: the second leaves it to the first, though a more urgent run has come between", async () => {
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
  // It has taken the only run, and the slot with it; nobody else can see that yet.
  await counted.opened;
  await engine.start(workflow, {}, { priority: 100 });
  // Its note is left aside: whoever takes it in would wait for the queue.
  await engine.rows("delete from handrail.queue_note");
  const second = await claimFromQueues(engine.db, other, [workflow], 1);
  goOn.open();
  expect([(await first).runs.length, second.runs.length]).toEqual([1, 0]);
  const [row] = await engine.rows("select count(*)::int as held from handrail.run where worker_id is not null");
  expect(row).toEqual({ held: 1 });
});
