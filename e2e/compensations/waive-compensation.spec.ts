import { stepOf, untilRun } from "../support/api";
import { expect, test } from "../support/console-errors";
import { refundsOf } from "../support/ledger";
import { orderOwingByHand } from "../support/orders";
import { expectStatus, openRun } from "../support/screen";

test("a compensation that is not needed is waived with its reason, and the others continue", async ({ page }) => {
  const { orderId, run } = await orderOwingByHand();
  await openRun(page, run.id, "?step=send-confirmation");
  await page.getByRole("complementary", { name: "Inspector" }).getByRole("button", { name: "Waive…" }).click();
  const dialog = page.getByRole("dialog", { name: "Resolve compensation of send-confirmation" });
  await expect(dialog.getByRole("radio", { name: "No refund needed" })).toBeChecked();
  await expect(dialog.getByRole("textbox", { name: /^Reference/ })).toBeHidden();
  await dialog.getByRole("textbox", { name: "Reason to waive it" }).fill("They were informed by telephone");
  await dialog.getByRole("button", { name: "Waive", exact: true }).click();
  await expect(dialog).toBeHidden();

  await expectStatus(page, "Compensated");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "All steps are compensated: 3 by the worker, 1 waived.",
  );
  const after = await untilRun(run.id, "compensated");
  expect(stepOf(after, "send-confirmation").compensation).toMatchObject({
    status: "waived",
    by: "operator",
    note: "They were informed by telephone",
  });
  expect(await refundsOf(orderId)).toHaveLength(1);
});
