import { handrail } from "../support/api";
import { expectNoAxeViolations } from "../support/axe";
import { expect, test } from "../support/console-errors";
import { orderOwingByHand, ordersFailedInAnOutage } from "../support/orders";
import { carryOut, chooseAct, openRun } from "../support/screen";

const needsAttention = async (runId: string) =>
  (await handrail.runs({ attention: ["failed", "compensation_owed"] })).runs.some(({ id }) => id === runId);

test("a failed run is snoozed until it changes, and the snooze is ended", async ({ page }) => {
  const [order] = await ordersFailedInAnOutage(1);
  const { id } = (order as NonNullable<typeof order>).run;
  expect(await needsAttention(id)).toBe(true);
  await openRun(page, id);
  await chooseAct(page, "Snooze…");
  const dialog = page.getByRole("dialog", { name: "Snooze" });
  await dialog.getByRole("radio", { name: "Until it changes" }).click();
  await expect(dialog.getByRole("radio", { name: "Until it changes" })).toBeChecked();
  await expectNoAxeViolations(page);
  await carryOut(dialog, "Snooze", "The provider answers tomorrow");
  await expect(page.getByText("Snoozed by operator until it changes")).toBeVisible();
  expect(await needsAttention(id)).toBe(false);

  await chooseAct(page, "Snooze…");
  await dialog.getByRole("radio", { name: "End the snooze" }).click();
  await carryOut(dialog, "End the snooze", "They answered");
  await expect(page.getByText("Snoozed by operator")).toBeHidden();
  expect(await needsAttention(id)).toBe(true);
});

test("a compensation is snoozed until tomorrow, and leaves the board", async ({ page }) => {
  const { run } = await orderOwingByHand();
  await openRun(page, run.id);
  await chooseAct(page, "Snooze…");
  const dialog = page.getByRole("dialog", { name: "Snooze" });
  await dialog.getByLabel("What").selectOption("send-confirmation");
  await dialog.getByRole("radio", { name: "Until tomorrow, 9:00" }).click();
  await carryOut(dialog, "Snooze", "They are on holiday");
  await expect(page.getByText(/Compensation of send-confirmation snoozed by operator until/)).toBeVisible();
  await page.goto("/compensations");
  const compensationOf = (step: string) => page.locator(`main a[href*="${run.id}?step=${step}"]`);
  // Those after it wait for it, and stay.
  await expect(compensationOf("charge-payment")).toBeVisible();
  await expect(compensationOf("send-confirmation")).toHaveCount(0);
  expect(await needsAttention(run.id)).toBe(true);
});
