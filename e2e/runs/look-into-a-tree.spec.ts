import { handrail } from "../support/api";
import { expect, test } from "../support/console-errors";
import { during } from "../support/faults";
import { aMailbox, freshId } from "../support/orders";
import { expectStatus, openRun } from "../support/screen";

/** A campaign of one batch of one order, which failed while the gateway was down. */
async function campaignWithAFailure() {
  const orderId = freshId("E");
  const batchId = freshId("batch");
  const order = { orderId, amountCents: 4_900, email: aMailbox() };
  const { id } = await handrail.start({
    workflow: "campaign-launch",
    input: { campaignId: freshId("campaign"), batches: [{ batchId, orders: [order] }] },
  });
  await expect.poll(async () => (await handrail.run(id)).rootCause?.status, { timeout: 30_000 }).toBe("failed");
  return { id, batchId, orderId };
}

test("from the root of a tree to the order that failed two levels down, and back up", async ({ page }) => {
  const { id, batchId, orderId } = await during("payments", { mode: "down" }, campaignWithAFailure);
  await openRun(page, id);
  await expect(page.getByText("A descendant run failed")).toBeVisible();
  await expect(page.getByText(/order-fulfilment failed at charge-payment/)).toBeVisible();

  await page.getByRole("tab", { name: /Children/ }).click();
  await expect(page.getByText("On all levels: 3 runs: 1 failed, 1 waiting, 1 done")).toBeVisible();
  const batch = page.getByRole("button", { name: `Started by batch:${batchId}` });
  // The path to the cause is open.
  await expect(batch).toHaveAttribute("aria-expanded", "true");
  const orders = page.getByRole("list", { name: `Children of batch:${batchId}` });
  await expect(orders.getByText("The root cause")).toBeVisible();
  await batch.click();
  await expect(orders).toBeHidden();
  await batch.click();
  await orders.getByRole("link", { name: new RegExp(orderId) }).click();

  await expectStatus(page, "Failed");
  const way = page.getByRole("navigation", { name: "From the root of its tree" });
  await expect(way.getByRole("listitem")).toHaveText([/Campaign /, /batch:/, `fulfil:${orderId}`]);
  await way.getByRole("link", { name: /Campaign / }).click();
  await expectStatus(page, "Waiting for a child");
});
