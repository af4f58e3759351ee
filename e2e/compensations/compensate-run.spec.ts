import { stepOf, untilAttention, untilRun } from "../support/api";
import { expect, test } from "../support/console-errors";
import { refundsOf } from "../support/ledger";
import { completedOrder, declinedOrder } from "../support/orders";
import { carryOut, chooseAct, expectStatus, markCompensated, openRun } from "../support/screen";

test("an order is compensated in reverse order, and its card is refunded once", async ({ page }) => {
  const { orderId, run } = await completedOrder();
  await openRun(page, run.id);
  await chooseAct(page, "Compensate…");
  const dialog = page.getByRole("dialog", { name: "Compensate this run" });
  const compensations = dialog.getByRole("listitem");
  await expect(compensations).toContainText(["send-confirmation", "reserve-stock", "charge-payment", "create-order"]);
  await expect(compensations.first()).toContainText("manual");
  await expect(compensations.nth(2)).toContainText(stepOf(run, "charge-payment").reference ?? "no reference");
  await carryOut(dialog, "Compensate", "The customer withdrew the order");

  // The mail went out last, and has to be compensated manually: everything before it waits.
  await expectStatus(page, "Needs compensation");
  const waiting = await untilAttention(run.id, "compensation_owed");
  expect(stepOf(waiting, "charge-payment").compensation.status).toBe("owed");
  expect(await refundsOf(orderId)).toEqual([]);

  await markCompensated(page).click();
  const mark = page.getByRole("dialog", { name: "Resolve compensation of send-confirmation" });
  await mark.getByRole("textbox", { name: "What was done" }).fill("Wrote to them");
  await mark.getByRole("button", { name: "Mark compensated" }).click();
  await expectStatus(page, "Compensated");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "All steps are compensated: 3 by the worker, 1 manually.",
  );

  const after = await untilRun(run.id, "compensated");
  const ended = after.steps
    .toSorted((a, b) => String(a.compensation.finishedAt).localeCompare(String(b.compensation.finishedAt)))
    .map(({ name }) => name);
  expect(ended).toEqual(["send-confirmation", "reserve-stock", "charge-payment", "create-order"]);
  expect(await refundsOf(orderId)).toMatchObject([{ idempotencyKey: `${run.id}:charge-payment:1:undo` }]);
});

test("a failed run compensates the steps that completed before, and nothing else", async ({ page }) => {
  const { orderId, run } = await declinedOrder();
  await openRun(page, run.id);
  await chooseAct(page, "Compensate…");
  const dialog = page.getByRole("dialog", { name: "Compensate this run" });
  await expect(dialog.getByRole("listitem")).toContainText(["create-order"]);
  await carryOut(dialog, "Compensate", "The card was declined");
  await expectStatus(page, "Compensated");
  await untilRun(run.id, "compensated");
  expect(await refundsOf(orderId)).toEqual([]);
});
