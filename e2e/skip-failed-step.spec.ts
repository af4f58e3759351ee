import { stepOf, untilRun } from "./support/api";
import { expect, test } from "./support/console-errors";
import { chargesOf } from "./support/ledger";
import { declinedOrder } from "./support/orders";
import { carryOut, chooseAct, expectStatus, openRun, timelineRow } from "./support/screen";

test("a failed step that was done by hand gets its output, and the run goes on with it", async ({ page }) => {
  const { orderId, run } = await declinedOrder();
  await openRun(page, run.id, "?step=charge-payment");
  await page.getByRole("button", { name: "Supply its output…" }).click();
  const dialog = page.getByRole("dialog", { name: "Settle charge-payment" });
  await expect(dialog.getByRole("radio", { name: "It was done by hand" })).toBeChecked();
  await dialog.getByRole("textbox", { name: /^Reference/ }).fill("transfer-81");
  await dialog.getByRole("textbox", { name: /^Output/ }).fill('{ "id": "transfer-81" }');
  await carryOut(dialog, "Record that it happened", "Paid by bank transfer");

  await expectStatus(page, "Completed");
  await expect(page.getByText("settled by operator")).toContainText("Paid by bank transfer");
  await expect(timelineRow(page, "charge-payment")).toHaveCount(2);
  const after = await untilRun(run.id, "completed");
  expect(stepOf(after, "charge-payment")).toMatchObject({ reference: "transfer-81", attempts: [], attempt: 0 });
  expect(after.output).toMatchObject({ chargeId: "transfer-81" });
  expect(await chargesOf(orderId)).toEqual([]);
});

test("a failed step is skipped: the run goes on without its result", { tag: "@phone" }, async ({ page }) => {
  const { run } = await declinedOrder();
  await openRun(page, run.id);
  await chooseAct(page, "Skip or supply the failed step…");
  const dialog = page.getByRole("dialog", { name: "Settle charge-payment" });
  await dialog.getByRole("radio", { name: "Skip it" }).click();
  await expect(dialog.getByRole("textbox", { name: /^Output/ })).toBeHidden();
  await carryOut(dialog, "Skip the step", "Nobody pays for samples");

  await expect(page.getByText("Skipped; the run goes on")).toBeVisible();
  await expect.poll(async () => stepStatus(run.id)).toBe("skipped");
  // The workflow reads the charge's id from the result that it no longer gets: the failure is the code's own, and said.
  await expectStatus(page, "Failed");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("1 step was skipped.");
});

async function stepStatus(runId: string) {
  return stepOf(await untilRun(runId, "failed"), "charge-payment").status;
}
