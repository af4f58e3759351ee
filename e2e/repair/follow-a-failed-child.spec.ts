import { handrail, untilRun } from "../support/api";
import { expect, test } from "../support/console-errors";
import { during } from "../support/faults";
import { aMailbox, freshId } from "../support/orders";
import { carryOut, chooseAct, expectStatus, openRun } from "../support/screen";

const orderOf = (orderId: string) => ({ orderId, amountCents: 4_900, email: aMailbox() });

/** One order of two failed while the gateway was down; the gateway is up again. */
async function batchWithFailures() {
  const batchId = freshId("batch");
  const orders = [freshId("E"), freshId("E")].map(orderOf);
  const { id } = await handrail.start({ workflow: "batch-fulfilment", input: { batchId, orders } });
  await expect.poll(async () => (await handrail.run(id)).children.byStatus.failed, { timeout: 30_000 }).toBe(2);
  return { id, orders };
}

test("from a batch to the order that failed, and its repair moves the batch", async ({ page }) => {
  const { id, orders } = await during("payments", { mode: "down" }, batchWithFailures);
  await openRun(page, id);
  await expectStatus(page, "Waiting for a child");
  await expect(page.getByText("A child run failed", { exact: true })).toBeVisible();
  await page.getByRole("tab", { name: /Children/ }).click();
  await page.getByRole("button", { name: "Failed 2" }).click();
  for (const { orderId } of orders) {
    await openRun(page, id, "?tab=children");
    await page
      .getByRole("list", { name: "Children" })
      .getByRole("link", { name: new RegExp(orderId) })
      .click();
    await expectStatus(page, "Failed");
    await page.getByRole("button", { name: "Rerun from charge-payment…" }).click();
    await carryOut(page.getByRole("dialog"), "Rerun", "The gateway is back");
    await expectStatus(page, "Completed");
  }
  await page.getByRole("navigation", { name: "From the root of its tree" }).getByRole("link").click();
  await expectStatus(page, "Completed");
  expect(await untilRun(id, "completed")).toMatchObject({ output: { fulfilled: 2 } });
});

test("a batch that is cancelled takes its orders with it, and says so beforehand", async ({ page }) => {
  // Slow, not down: an order whose tries are used up before the press has failed, and is not cancelled.
  const { id } = await during("payments", { mode: "slow", delayMs: 8_000, times: 1 }, async () => {
    const orders = [orderOf(freshId("E"))];
    const run = await handrail.start({ workflow: "batch-fulfilment", input: { batchId: freshId("batch"), orders } });
    await untilRun(run.id, "waiting");
    await openRun(page, run.id);
    await chooseAct(page, "Cancel the run…");
    const dialog = page.getByRole("dialog", { name: "Cancel this run" });
    await expect(dialog).toContainText("Child runs that this run waits for, and theirs, are cancelled too.");
    await carryOut(dialog, "Cancel the run", "The wrong batch");
    return run;
  });
  await expectStatus(page, "Cancelled");
  await expect.poll(async () => (await handrail.run(id)).children.byStatus.cancelled).toBe(1);
});
