import { ask, handrail, stepOf, untilAttention, untilRun } from "../support/api";
import { expect, test } from "../support/console-errors";
import { job } from "../support/job";
import { freshId } from "../support/orders";
import { expectStatus, openRun } from "../support/screen";

/** A refund that is too large to be paid without approval. */
async function askedRefund() {
  const orderId = freshId("R");
  const run = await handrail.start({
    workflow: "refund-request",
    input: { accountId: orderId, orderId, parcelId: `P-${orderId}`, amountCents: 12_000, reason: "Too small." },
  });
  return { orderId, run: await untilAttention(run.id, "approval") };
}

job("@job-10", () => {
  test("a question is answered from the list, and the run goes on with the answer", async ({ page, hands }) => {
    const { orderId, run } = await askedRefund();
    await page.goto("/approvals");
    const item = page.getByRole("listitem").filter({ hasText: `Refund 120.00 for order ${orderId}?` });
    await expect(item).toBeVisible();
    await hands.press(item.getByRole("button", { name: "approve…" }));
    const dialog = page.getByRole("dialog", { name: `Refund 120.00 for order ${orderId}?` });
    await expect(dialog.getByRole("radio", { name: "approve" })).toBeChecked();
    await hands.write(dialog.getByRole("textbox", { name: "Note (optional)" }), "A good customer");
    await hands.press(dialog.getByRole("button", { name: "Approve" }));
    await expect(dialog).toBeHidden();
    await hands.expectPlaceKept();
    await expect(item).toBeHidden();
    const after = await untilRun(run.id, "waiting");
    expect(stepOf(after, "approve-refund").output).toMatchObject({ choice: "approve", note: "A good customer" });
    expect(after.audit).toMatchObject([{ act: "answer", actor: "operator", reason: "A good customer" }]);
  });
});

test.describe("two people at one question", () => {
  test.use({ expectedErrors: /409 \(Conflict\)/ });

  test("the first answer counts, and the second person sees it", async ({ page }) => {
    const { run } = await askedRefund();
    await openRun(page, run.id);
    await expectStatus(page, "Approval");
    await expect(page.getByText("Answer the question to continue.")).toBeVisible();
    await page.getByRole("main").getByRole("button", { name: "Answer…" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("radio", { name: "reject" }).click();
    await ask("POST", `/runs/${run.id}/approvals/approve-refund/answer`, { choice: "approve" });
    await dialog.getByRole("button", { name: "Reject" }).click();
    await expect(dialog.getByRole("alert")).toContainText(/already answered/);
  });
});
