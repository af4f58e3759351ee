import { expect, test } from "../support/console-errors";
import { job } from "../support/job";
import { completedOrder, declinedOrder } from "../support/orders";
import { expectNoOverflow } from "../support/overflow";
import { openRun } from "../support/screen";

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

job("@job-15", () => {
  test("a run that failed is copied as a test, read as a graph, and compared with one that completed", async ({
    page,
    hands,
  }) => {
    const completed = await completedOrder();
    const failed = await declinedOrder();
    await openRun(page, failed.run.id);
    await hands.press(page.getByRole("button", { name: "Copy as" }));
    await hands.press(page.getByRole("menuitem", { name: /^A test/ }));
    await expect(page.getByText("A test: copied")).toBeVisible();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain(`it("order-fulfilment takes the path of run ${failed.run.id}"`);
    expect(copied).toContain(failed.orderId);
    expect(copied).not.toContain(failed.email);

    await hands.press(page.getByRole("tab", { name: "Graph" }));
    await expect(page.getByRole("button", { name: /^Not reached reserve-stock/ })).toBeDisabled();
    await hands.press(page.getByRole("button", { name: /^Failed charge-payment/ }));
    await expect(page).toHaveURL(/tab=graph.*step=charge-payment|step=charge-payment.*tab=graph/);
    await expect(page.getByRole("heading", { name: "charge-payment" }).first()).toBeVisible();
    await hands.close();
    await hands.expectPlaceKept();

    await hands.press(page.getByRole("link", { name: "Compare" }));
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(
      /^Same path for 1 step; then “charge-payment” failed here \(.+\), and completed there\.$/,
    );
    await expect(page.getByRole("combobox", { name: "Compared with" })).toHaveValue(completed.run.id);
    await expect(page.getByRole("table", { name: "Where the inputs differ" })).toContainText(completed.orderId);
    await expectNoOverflow(page);
  });
});
