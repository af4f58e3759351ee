import { ask, handrail, stepOf, untilAttention, untilRun } from "./support/api";
import { expectNoAxeViolations } from "./support/axe";
import { expect, test } from "./support/console-errors";
import { freshId } from "./support/orders";
import { expectStatus, openRun } from "./support/screen";

/** A refund that is too large to be paid without a person. */
async function askedRefund() {
  const orderId = freshId("R");
  const run = await handrail.start({
    workflow: "refund-request",
    input: { accountId: orderId, orderId, parcelId: `P-${orderId}`, amountCents: 12_000, reason: "Too small." },
  });
  return { orderId, run: await untilAttention(run.id, "approval") };
}

test("a question is answered from the list, and the run goes on with the answer", { tag: "@phone" }, async ({
  page,
}) => {
  const { orderId, run } = await askedRefund();
  await page.goto("/approvals");
  const item = page.getByRole("listitem").filter({ hasText: `Refund 120.00 for order ${orderId}?` });
  await expect(item).toBeVisible();
  await expectNoAxeViolations(page);
  await item.getByRole("button", { name: "approve…" }).click();
  const dialog = page.getByRole("dialog", { name: `Refund 120.00 for order ${orderId}?` });
  await expect(dialog.getByRole("radio", { name: "approve" })).toBeChecked();
  await expectNoAxeViolations(page);
  await dialog.getByRole("textbox", { name: "Note (optional)" }).fill("A good customer");
  await dialog.getByRole("button", { name: "Answer: approve" }).click();
  await expect(dialog).toBeHidden();
  await expect(item).toBeHidden();
  const after = await untilRun(run.id, "waiting");
  expect(stepOf(after, "approve-refund").output).toMatchObject({ choice: "approve", note: "A good customer" });
  expect(after.audit).toMatchObject([{ act: "answer", actor: "operator", reason: "A good customer" }]);
});

test.describe("two people at one question", () => {
  test.use({ expectedErrors: /409 \(Conflict\)/ });

  test("the first answer counts, and the second person is told", async ({ page }) => {
    const { run } = await askedRefund();
    await openRun(page, run.id);
    await expectStatus(page, "Approval");
    await expect(page.getByText("It waits for an answer")).toBeVisible();
    await page.getByRole("main").getByRole("button", { name: "Answer…" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("radio", { name: "reject" }).click();
    await ask("POST", `/runs/${run.id}/approvals/approve-refund/answer`, { choice: "approve" });
    await dialog.getByRole("button", { name: "Answer: reject" }).click();
    await expect(dialog.getByRole("alert")).toContainText(/answered already/);
  });
});
