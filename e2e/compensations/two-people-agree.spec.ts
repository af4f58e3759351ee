import { ask, handrail, untilAttention, untilRun } from "../support/api";
import { expectNoAxeViolations } from "../support/axe";
import { expect, test } from "../support/console-errors";
import { freshId } from "../support/orders";
import { expectNoOverflow } from "../support/overflow";
import { reasonIn } from "../support/screen";

/** A payout that is to be compensated: its code requires a second person to waive it. */
async function payoutOwed() {
  const sellerId = freshId("seller");
  const input = { sellerId, amountCents: 12_050, bankEmail: "bank@shop.example" };
  const { id } = await handrail.start({ workflow: "seller-payout", input });
  await untilRun(id, "completed");
  await handrail.compensate(id, { reason: "The seller is a fraud" });
  await untilAttention(id, "compensation_owed");
  return { sellerId, runId: id };
}

test("a waiver that needs two people: one requests it and cannot approve it, another reviews the plan and approves it, once", async ({
  page,
  as,
}) => {
  const { sellerId, runId } = await payoutOwed();
  const path = `/runs/${runId}/compensations/order-transfer/resolution`;
  const alone = await ask("POST", path, { outcome: "waived", note: "alone" });
  expect(alone).toMatchObject({ status: 409, body: { error: { code: "approval_required" } } });

  await page.goto("/compensations?lane=by_hand");
  const item = page
    .getByRole("listitem")
    .filter({ hasText: `Compensate order-transfer · Payout of 120.50 to ${sellerId}` });
  await expect(item).toContainText("Ask the bank to return the payout of 120.50");
  await item.getByRole("button", { name: "Waive…" }).click();
  const dialog = page.getByRole("dialog", { name: "Resolve compensation of order-transfer" });
  await expect(dialog).toContainText("Needs a second approver");
  await dialog.getByRole("textbox", { name: "Reason to waive it" }).fill(`The bank kept the money of ${sellerId}`);
  await expectNoAxeViolations(page);
  await dialog.getByRole("button", { name: "Request approval" }).click();
  await expect(dialog).toContainText("Approval requested");
  await dialog.getByRole("link", { name: "approvals" }).click();

  const mine = page.getByRole("listitem").filter({ hasText: sellerId });
  await expect(mine).toContainText("requested by you");
  await mine.getByRole("button", { name: "View plan…" }).click();
  await expect(page.getByRole("dialog")).toContainText("Someone else has to review");
  await page.keyboard.press("Escape");

  const admin = await as("admin");
  await admin.goto("/");
  await expect(admin.getByRole("link", { name: /for a second approver/ })).toBeVisible();
  await admin.goto("/approvals");
  const theirs = admin.getByRole("listitem").filter({ hasText: sellerId });
  await expectNoAxeViolations(admin);
  await expectNoOverflow(admin);
  await theirs.getByRole("button", { name: "Review and answer…" }).click();
  const answer = admin.getByRole("dialog", { name: "Waive a compensation of 1 run?" });
  await expect(answer).toContainText("operator requests approval");
  await expect(answer).toContainText("outcome: waived");
  await answer.getByRole("radio", { name: /^Approve/ }).click();
  await reasonIn(answer).fill("Their support confirms it");
  await expectNoAxeViolations(admin);
  await answer.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(answer).toBeHidden();

  await page.reload();
  await expect(mine).toContainText("Approved");
  await mine.getByRole("button", { name: "Run plan…" }).click();
  const carrying = page.getByRole("dialog", { name: "Waive a compensation of 1 run" });
  await expect(carrying).toContainText("admin approved it: Their support confirms it");
  await carrying.getByRole("button", { name: "Waive a compensation of 1 run" }).click();
  await expect(carrying).toBeHidden();
  await expect(mine).toBeHidden();
  expect(await untilRun(runId, "compensated")).toMatchObject({ status: "compensated" });
});
