import { untilRun } from "../support/api";
import { expect, test } from "../support/console-errors";
import { chargesOf } from "../support/ledger";
import { completedOrder, type Order, ordersFailedInAnOutage } from "../support/orders";
import { expectNoOverflow } from "../support/overflow";
import { carryOut, expectStatus } from "../support/screen";

test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });

test("on call, a failed order is found, read and rerun", async ({ page }) => {
  const [order] = (await ordersFailedInAnOutage(1)) as [Order];
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "Needs attention" })).toBeVisible();
  await expectNoOverflow(page);

  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Runs", exact: true }).tap();
  await page.getByRole("combobox", { name: "Filter runs" }).fill(order.orderId);
  const card = page.getByRole("list", { name: "Runs" }).getByRole("link", { name: order.orderId });
  await expect(card).toContainText("Failed");
  await expectNoOverflow(page);
  await card.tap();

  const inspector = page.getByRole("dialog", { name: order.orderId });
  await expect(inspector.getByRole("heading", { name: /Charge payment failed 4 times/ })).toBeVisible();
  await expect(inspector.getByRole("button", { name: "Rerun from charge-payment…" })).toBeVisible();
  await expectNoOverflow(page);
  await page.goBack();
  await expect(inspector).toBeHidden();
  await card.tap();
  await inspector.getByRole("link", { name: "Open" }).tap();

  await expectStatus(page, "Failed");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Charge payment failed 4 times");
  await expectNoOverflow(page);
  await page.getByRole("button", { name: /^charge-payment: Failed/ }).tap();
  const sheet = page.getByRole("dialog", { name: "charge-payment" });
  await expect(sheet.getByText("payments is down; nothing was done").first()).toBeVisible();
  await expectNoOverflow(page);
  await sheet.getByRole("button", { name: "Close" }).tap();
  await expect(sheet).toBeHidden();

  await page.getByRole("button", { name: "Rerun from charge-payment…" }).tap();
  const dialog = page.getByRole("dialog", { name: "Rerun from charge-payment" });
  await expect(dialog).toBeVisible();
  await expectNoOverflow(page);
  await carryOut(dialog, "Rerun", "The gateway is back");
  await expectStatus(page, "Completed");
  await untilRun(order.run.id, "completed");
  expect(await chargesOf(order.orderId)).toMatchObject([{ requests: 1 }]);
});

test("the chosen tab is in sight, however many there are; the bar of a run is one line", async ({ page }) => {
  const { run } = await completedOrder();
  await page.goto(`/runs/${run.id}?tab=raw`);
  await expect(page.getByRole("tab", { name: "Raw" })).toBeInViewport({ ratio: 1 });
  await page.getByRole("tab", { name: "Audit" }).tap();
  await expect(page.getByRole("tab", { name: "Audit" })).toBeInViewport({ ratio: 1 });
  const [title, live] = [page.getByRole("navigation", { name: "Breadcrumb" }), page.getByText("Live", { exact: true })];
  const [left, right] = [await title.boundingBox(), await live.boundingBox()];
  expect(right?.y).toBeLessThan((left?.y ?? 0) + (left?.height ?? 0));
  await page.setViewportSize({ width: 768, height: 1024 });
  await page.goto("/notifications");
  await expect(
    page.getByRole("navigation", { name: "System" }).getByRole("link", { name: "Notifications" }),
  ).toBeInViewport({ ratio: 1 });
});
