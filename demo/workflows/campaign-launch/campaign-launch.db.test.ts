import { expect, it } from "vitest";
import { readChildren } from "../../../lib/operator/runs/read-children";
import { readRun } from "../../../lib/operator/runs/reads";
import { rerun } from "../../../lib/testing/actions";
import { aDesk } from "../../../lib/testing/desk";
import { theOutsideWorld } from "../../../lib/testing/processes/outside-world";
import { until } from "../../../lib/testing/until";
import { anEngine } from "../../../lib/testing/workers/engine";
import { startSandbox } from "../../sandbox/server";
import { batchFulfilment } from "../batch-fulfilment/batch-fulfilment";
import { orderFulfilment } from "../order-fulfilment/order-fulfilment";
import { userSync } from "../user-sync/user-sync";
import { campaignLaunch } from "./campaign-launch";

const engine = anEngine();
const world = theOutsideWorld(startSandbox);

const order = (orderId: string) => ({ orderId, amountCents: 4_900, email: `${orderId.toLowerCase()}@example.com` });

it("an order that failed two levels down is the campaign's root cause, and its repair moves all of them", async () => {
  await world.fault("payments", { mode: "down", only: "charges" });
  const batches = [{ batchId: "north", orders: [order("campaign-a")] }];
  const runId = await engine.start(campaignLaunch, { campaignId: "autumn", batches });
  await engine.worker([campaignLaunch, batchFulfilment, orderFulfilment, userSync]);
  const cause = await until("The root cause", async () => (await readRun(engine.db, runId)).rootCause);
  expect(cause).toMatchObject({
    workflow: "order-fulfilment",
    failedStep: "charge-payment",
    way: [{ parentStep: "batch:north" }, { parentStep: "fulfil:campaign-a" }],
  });
  expect((await readChildren(engine.db, runId, {})).descendants).toMatchObject({
    byStatus: { completed: 1, failed: 1 },
    total: 3,
  });
  await world.fault("payments", { mode: "none" });
  await rerun(aDesk(engine.db), { runId: cause.runId, reason: "the gateway is back" });
  expect((await engine.untilEnded(runId)).run).toMatchObject({ status: "completed", output: { fulfilled: 1 } });
  expect(await world.charges("campaign-")).toHaveLength(1);
});
