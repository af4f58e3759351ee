import { stepOf, untilRun } from "../support/api";
import { expect, test } from "../support/console-errors";
import { job } from "../support/job";
import { refundsOf } from "../support/ledger";
import { orderOwingByHand, orderWithFailedRefund } from "../support/orders";
import { expectNoOverflow } from "../support/overflow";
import { openRun, reasonIn } from "../support/screen";

const board = "/compensations";

test("a manual compensation is assigned on the board, done, and marked; the others run automatically", async ({
  page,
}) => {
  const { orderId, run } = await orderOwingByHand();
  await page.goto(board);
  const item = page.getByRole("listitem").filter({ hasText: `Compensate send-confirmation · ${orderId}` });
  await expect(item).toContainText(`Write to •••: order ${orderId} was cancelled, and what they paid comes back.`);
  await item.getByRole("button", { name: "Assign to me" }).click();
  await expect(item).toContainText("assigned to operator");
  await page.getByRole("radio", { name: "Mine" }).click();
  await expect(page).toHaveURL(/who=operator/);
  await page.getByRole("button", { name: /^Manual/ }).click();
  await expect(item).toBeVisible();
  await expectNoOverflow(page);
  await item.getByRole("button", { name: "Unassign" }).click();
  await expect(item).toBeHidden();
  await page.getByRole("radio", { name: "All" }).click();
  await item.getByRole("button", { name: "Assign…" }).click();
  const assigning = page.getByRole("dialog", { name: "Assign compensation of send-confirmation" });
  await assigning.getByRole("radio", { name: /^Assign to someone else/ }).click();
  await assigning.getByLabel("Their name").selectOption("admin");
  await assigning.getByRole("button", { name: "Reassign" }).click();
  await expect(item).toContainText("assigned to admin by operator");
  await item.getByRole("button", { name: "Mark compensated…" }).click();

  const dialog = page.getByRole("dialog", { name: "Resolve compensation of send-confirmation" });
  await dialog.getByRole("button", { name: "Mark compensated" }).click();
  const note = dialog.getByRole("textbox", { name: "What was done" });
  await expect(note).toHaveAccessibleDescription("Enter a note: what was done, or why nothing is needed.");
  await note.fill("Wrote to them, and they answered");
  await dialog.getByRole("textbox", { name: /^Reference/ }).fill("mail-2291");
  await dialog.getByRole("textbox", { name: /^Evidence/ }).fill("https://tickets.example/T-9");
  await dialog.getByRole("button", { name: "Mark compensated" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("Marked compensated: send-confirmation")).toBeVisible();
  await expect(item).toBeHidden();

  const after = await untilRun(run.id, "compensated");
  expect(stepOf(after, "send-confirmation").compensation).toMatchObject({
    status: "completed",
    by: "operator",
    note: "Wrote to them, and they answered",
    reference: "mail-2291",
    evidence: "https://tickets.example/T-9",
  });
  await page.getByRole("button", { name: /^Resolved/ }).click();
  const link = item.getByRole("link", { name: /tickets\.example/ });
  await expect(link).toHaveAttribute("rel", /noopener/);
  expect(await refundsOf(orderId)).toHaveLength(1);

  await openRun(page, run.id, "?step=send-confirmation");
  const inspector = page.getByRole("complementary", { name: "Inspector" });
  await expect(inspector).toContainText("by operator");
  await expect(inspector).toContainText("Wrote to them, and they answered");
  await expect(inspector).toContainText("mail-2291");
});

job("@job-4", () => {
  test("a refund that failed since the card had been refunded already is marked, and nothing is refunded twice", async ({
    page,
    hands,
  }) => {
    const { orderId, run } = await orderWithFailedRefund();
    await page.goto("/");
    const inbox = page.getByRole("navigation", { name: "Inbox" });
    await hands.press(inbox.getByRole("link", { name: /^Compensations/ }));
    const item = page.getByRole("listitem").filter({ hasText: `Compensate charge-payment · ${orderId}` });
    await expect(item).toContainText("was refunded under another key");
    await hands.press(item.getByRole("button", { name: "Assign to me" }));
    await expect(item).toContainText("assigned to operator");
    await hands.press(item.getByRole("button", { name: "Mark compensated…" }));
    const dialog = page.getByRole("dialog", { name: "Resolve compensation of charge-payment" });
    const [refund] = await refundsOf(orderId);
    await hands.write(dialog.getByRole("textbox", { name: "What was done" }), "Refunded at the gateway's desk");
    await hands.write(dialog.getByRole("textbox", { name: /^Reference/ }), refund?.id ?? "");
    await hands.press(dialog.getByRole("button", { name: "Mark compensated" }));
    await expect(dialog).toBeHidden();
    await hands.expectPlaceKept();

    await expect(item).toBeHidden();
    const after = await untilRun(run.id, "compensated");
    expect(stepOf(after, "charge-payment").compensation).toMatchObject({ by: "operator", reference: refund?.id });
    expect(await refundsOf(orderId)).toHaveLength(1);
  });
});

test("a refund that failed is tried again", async ({ page }) => {
  const { orderId } = await orderWithFailedRefund();
  await page.goto(board);
  const item = page.getByRole("listitem").filter({ hasText: `Compensate charge-payment · ${orderId}` });
  await item.getByRole("button", { name: "Retry…" }).click();
  const dialog = page.getByRole("dialog", { name: "Retry failed compensations" });
  await expect(dialog.getByRole("listitem")).toContainText(["charge-payment"]);
  await reasonIn(dialog).fill("The gateway says it is mended");
  await dialog.getByRole("button", { name: "Retry" }).click();
  await expect(dialog).toBeHidden();
  // It is not: the failure comes back, and stays on the board.
  await expect(item.getByRole("button", { name: "Retry…" })).toBeVisible();
  expect(await refundsOf(orderId)).toHaveLength(1);
});
