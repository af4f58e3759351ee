import { handrail, untilRun } from "../support/api";
import { expect, test } from "../support/console-errors";
import { during } from "../support/faults";
import { chargesOf } from "../support/ledger";
import { freshId, startedOrder } from "../support/orders";
import { carryOut, chooseAct, expectStatus, openRun } from "../support/screen";

test("a run that sleeps is paused, says who and why, and goes on when it is resumed", async ({ page }) => {
  const email = `${freshId("e")}@shop.example`;
  const { id } = await handrail.start({ workflow: "welcome-reminder", input: { email, delaySeconds: 3_600 } });
  await untilRun(id, "waiting");
  await openRun(page, id);
  await chooseAct(page, "Pause the run…");
  const dialog = page.getByRole("dialog", { name: "Pause this run" });
  await expect(dialog).toContainText("no timer fires");
  await carryOut(dialog, "Pause the run", "The mail server is being moved");
  await expectStatus(page, "Paused");
  await expect(page.getByText("Resume to continue; timers are on hold.")).toBeVisible();
  await expect(page.getByText("The mail server is being moved")).toBeVisible();
  await page.getByRole("button", { name: "Resume the run…" }).click();
  await carryOut(page.getByRole("dialog", { name: "Resume this run" }), "Resume the run", "Moved");
  await expectStatus(page, "Sleeping");
  expect((await handrail.run(id)).audit.map(({ act }) => act)).toEqual(["resume", "pause"]);
});

test("a charge in flight is let finish before its run is paused", async ({ page }) => {
  const { run, orderId } = await during("payments", { mode: "slow", delayMs: 9_500, times: 1 }, async () => {
    const order = await startedOrder();
    await expect.poll(async () => (await handrail.run(order.run.id)).summary).toContain("Charge payment is running.");
    await openRun(page, order.run.id);
    await chooseAct(page, "Pause the run…");
    const dialog = page.getByRole("dialog", { name: "Pause this run" });
    await expect(dialog).toContainText("charge-payment in flight finishes and is recorded first");
    await carryOut(dialog, "Pause the run", "The gateway is slow");
    await expect(page.getByRole("heading", { level: 1 })).toContainText("Being paused");
    return order;
  });
  await untilRun(run.id, "paused");
  await expectStatus(page, "Paused");
  expect(await chargesOf(orderId)).toHaveLength(1);
  await page.getByRole("button", { name: "Resume the run…" }).click();
  await carryOut(page.getByRole("dialog", { name: "Resume this run" }), "Resume the run", "It is quick again");
  await untilRun(run.id, "completed");
  expect(await chargesOf(orderId)).toHaveLength(1);
});

test("a batch is paused with the orders that it has started, and resumed with them", async ({ page }) => {
  const orders = [1, 2].map((n) => ({
    orderId: `${freshId("P")}-${n}`,
    amountCents: 2_000,
    email: `${freshId("p")}@shop.example`,
  }));
  const children = async (id: string) => (await handrail.run(id)).children.byStatus;
  // Three attempts of each charge time out: the children are open for half a minute, whatever else the machine does.
  const id = await during("payments", { mode: "slow", delayMs: 12_000, times: 6 }, async () => {
    const batch = await handrail.start({ workflow: "batch-fulfilment", input: { batchId: freshId("b"), orders } });
    await openRun(page, batch.id);
    await expect.poll(async () => (await children(batch.id)).running, { timeout: 30_000 }).toBe(2);
    await chooseAct(page, "Pause the run…");
    const dialog = page.getByRole("dialog", { name: "Pause this run" });
    await dialog.getByLabel("Include child runs, on all levels").check();
    await expect(dialog).toContainText("2 children have not ended");
    await carryOut(dialog, "Pause the run", "The whole batch is wrong");
    return batch.id;
  });
  await expect.poll(async () => (await children(id)).paused, { timeout: 30_000 }).toBe(2);
  await expectStatus(page, "Paused");
  await page.getByRole("button", { name: "Resume the run…" }).click();
  const dialog = page.getByRole("dialog", { name: "Resume this run" });
  await expect(dialog).toContainText("Descendant runs paused with it are resumed too.");
  await carryOut(dialog, "Resume the run", "It was right");
  await untilRun(id, "completed");
  for (const { orderId } of orders) expect(await chargesOf(orderId)).toHaveLength(1);
});
