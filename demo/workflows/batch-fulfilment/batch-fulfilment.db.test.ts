import { expect, it } from "vitest";
import { rerun } from "../../../lib/testing/actions";
import { aDesk } from "../../../lib/testing/desk";
import { theOutsideWorld } from "../../../lib/testing/processes/outside-world";
import { until } from "../../../lib/testing/until";
import { anEngine } from "../../../lib/testing/workers/engine";
import { startSandbox } from "../../sandbox/server";
import { orderFulfilment } from "../order-fulfilment/order-fulfilment";
import { batchFulfilment } from "./batch-fulfilment";

const engine = anEngine();
const world = theOutsideWorld(startSandbox);

const order = (orderId: string) => ({ orderId, amountCents: 4_900, email: `${orderId.toLowerCase()}@example.com` });

it("a batch in which one order fails waits for its repair, and goes on by itself when that is done", async () => {
  await world.fault("payments", { mode: "down", only: "charges" });
  const orders = ["batch-a", "batch-b"].map(order);
  const runId = await engine.start(batchFulfilment, { batchId: "batch", orders });
  await engine.worker([batchFulfilment, orderFulfilment]);
  const failed = await until("Both failures", async () => {
    const rows = await engine.rows<{ id: string }>(
      "select id::text from handrail.run where parent_run_id = $1 and status = 'failed'",
      [runId],
    );
    return rows.length === 2 && rows;
  });
  await engine.untilRun(runId, ({ run }) => run.status === "waiting" && run.due_at === null);
  await world.fault("payments", { mode: "none" });
  for (const { id } of failed) await rerun(aDesk(engine.db), { runId: id, reason: "the gateway is back" });
  expect((await engine.untilEnded(runId)).run).toMatchObject({ status: "completed", output: { fulfilled: 2 } });
  expect(await world.charges("batch-")).toHaveLength(2);
});
