import { handrail, stepOf, untilRun } from "../support/api";
import { expect, test } from "../support/console-errors";
import { chargesOf, mailTo } from "../support/ledger";
import { type Order, ordersFailedInAnOutage } from "../support/orders";
import { carryOut, expectStatus, openRun, reasonIn } from "../support/screen";

let orders: Order[];

test.beforeAll(async () => {
  orders = await ordersFailedInAnOutage(2);
});

test("the failed step of an order is rerun, and its card is charged once", async ({ page }) => {
  const order = orders[0] as Order;
  expect(await chargesOf(order.orderId)).toEqual([]);

  await openRun(page, order.run.id);
  await expectStatus(page, "Failed");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "Create order is done. Charge payment failed 4 times: The payment gateway answered 503: payments is down; nothing was done. No later step ran.",
  );

  await page.getByRole("button", { name: "Rerun from charge-payment…" }).click();
  const dialog = page.getByRole("dialog", { name: "Rerun from charge-payment" });
  await expect(dialog.getByText("1 result kept, 1 step again, and every later step.")).toBeVisible();
  await expect(dialog.getByRole("radio", { name: "create-order" })).toHaveAccessibleDescription("result kept");
  await expect(dialog.getByRole("radio", { name: "charge-payment" })).toHaveAccessibleDescription(
    "runs again · same key",
  );
  await carryOut(dialog, "Rerun", "The gateway is back");
  await expectStatus(page, "Completed");
  await expect(page.getByText("rerun by operator")).toContainText("The gateway is back · keys kept");

  const run = await untilRun(order.run.id, "completed");
  const charges = await chargesOf(order.orderId);
  expect(charges).toMatchObject([{ requests: 1, idempotencyKey: `${run.id}:charge-payment:1` }]);
  expect(stepOf(run, "charge-payment").reference).toBe(charges[0]?.id);
  expect(await mailTo(order.email)).toHaveLength(1);
});

test("a rerun asks for its reason, which is then in the audit log", async ({ page }) => {
  const { run } = orders[1] as Order;
  await openRun(page, run.id);
  await page.getByRole("button", { name: "Rerun from charge-payment…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Rerun", exact: true }).click();
  await expect(reasonIn(dialog)).toHaveAccessibleDescription("Enter a reason.");
  expect((await handrail.run(run.id)).generation).toBe(1);

  await carryOut(dialog, "Rerun", "  The gateway is back  ");
  await page.getByRole("tab", { name: /^Audit/ }).click();
  const rows = page.getByRole("tabpanel", { name: /^Audit/ }).getByRole("listitem");
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText("operator reran the run");
  await expect(rows).toContainText("The gateway is back");
});
