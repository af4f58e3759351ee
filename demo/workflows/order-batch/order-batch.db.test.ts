import { expect, it } from "vitest";
import { rerun } from "../../../lib/testing/actions";
import { aDesk } from "../../../lib/testing/desk";
import { theOutsideWorld } from "../../../lib/testing/processes/outside-world";
import { anEngine } from "../../../lib/testing/workers/engine";
import { setFaultHandler } from "../../../lib/worker/fault-points";
import { startSandbox } from "../../sandbox/server";
import { orderBatch } from "./order-batch";

const engine = anEngine();
const world = theOutsideWorld(startSandbox);

it("a batch of a hundred that fails at the fiftieth goes on from there, and charges nobody again", async () => {
  const orderIds = Array.from({ length: 100 }, (_, index) => `batch-${index + 1}`);
  setFaultHandler(async (point, detail) => {
    if (point === "step:before-body" && detail === "charge:batch-50") await world.fault("payments", { mode: "down" });
  });
  const { run, steps } = await engine.runToEnd(orderBatch, { orderIds });
  expect(run).toMatchObject({
    status: "failed",
    failed_step: "charge:batch-50",
    error: { name: "ServiceUnavailable" },
  });
  expect(steps).toHaveLength(50);
  expect(steps.slice(0, 49).every(({ status }) => status === "completed")).toBe(true);
  expect(await world.charges("batch-")).toHaveLength(49);

  setFaultHandler(undefined);
  await world.fault("payments", { mode: "none" });
  await rerun(aDesk(engine.db), { runId: run.id, reason: "the gateway is back" });
  const repaired = await engine.untilEnded(run.id);
  expect(repaired.run).toMatchObject({ status: "completed", output: { charged: 100 }, generation: 2 });
  const charges = await world.charges("batch-");
  expect(charges).toHaveLength(100);
  expect(new Set(charges.map(({ orderId }) => orderId)).size).toBe(100);
  expect(charges.every(({ requests }) => requests === 1)).toBe(true);
}, 60_000);

it("a flaky gateway costs attempts, not charges", async () => {
  await world.fault("payments", { mode: "flaky", rate: 1, times: 2 });
  const { run, attempts } = await engine.runToEnd(orderBatch, { orderIds: ["flaky-1", "flaky-2"] });
  expect(run.status).toBe("completed");
  expect(attempts).toMatchObject([
    { step: "charge:flaky-1", number: 1, status: "failed" },
    { step: "charge:flaky-1", number: 2, status: "failed" },
  ]);
  expect(await world.charges("flaky-")).toHaveLength(2);
});

it("a batch that holds an order twice, or none, is refused before anything is written", async () => {
  const count = () => engine.rows("select count(*) from handrail.run");
  const before = await count();
  for (const orderIds of [["a", "a"], []])
    await expect(engine.start(orderBatch, { orderIds })).rejects.toMatchObject({ code: "invalid_input" });
  expect(await count()).toEqual(before);
});
