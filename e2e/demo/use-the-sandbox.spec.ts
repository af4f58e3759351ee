import { untilRun } from "../support/api";
import { expect, test } from "../support/console-errors";
import { mend } from "../support/faults";
import { chargesOf } from "../support/ledger";
import { completedOrder, startedOrder } from "../support/orders";
import { expectStatus, openRun } from "../support/screen";

test.afterEach(() => mend("payments", "mail"));

test("an outage is made and ended with a switch, and the order gets through it by itself", async ({ page }) => {
  await page.goto("/sandbox");
  const gateway = page.getByRole("radiogroup", { name: "Payment gateway: fault" });
  await expect(gateway.getByRole("radio", { name: "Works" })).toBeChecked();
  await gateway.getByRole("radio", { name: "Down" }).click();
  await expect(page.getByText("All requests are rejected.")).toBeVisible();
  const part = page.getByRole("radiogroup", { name: "Part of the gateway" });
  await part.getByRole("radio", { name: /^charges/ }).click();
  await expect(part.getByRole("radio", { name: /^charges/ })).toBeChecked();

  const { orderId, run } = await startedOrder();
  // The outage ends on the page where it began: a busy machine takes longer over two more pages than the order retries.
  await untilRun(run.id, "waiting");
  expect(await chargesOf(orderId)).toEqual([]);
  await gateway.getByRole("radio", { name: "Works" }).click();
  await expect(gateway.getByRole("radio", { name: "Works" })).toBeChecked();
  await untilRun(run.id, "completed");
  await openRun(page, run.id);
  await expectStatus(page, "Completed");
  expect(await chargesOf(orderId)).toMatchObject([{ requests: 1 }]);
});

test("the gateway's ledger, the mailbox and the receiver show what they received", async ({ page }) => {
  const { orderId, email, run } = await completedOrder();
  await page.goto("/sandbox");
  const more = page.getByRole("button", { name: /^All \d+$/ });
  await expect(page.getByRole("link", { name: /^[EA]-/ }).first()).toBeVisible();
  if (await more.isVisible()) await more.click();
  const charge = page.getByRole("listitem").filter({ hasText: orderId }).filter({ hasText: "charged once" });
  await expect(charge).toContainText("requested once, charged once");
  await expect(charge).toContainText("49.00");

  const mail = page.getByRole("listitem").filter({ hasText: `Order ${orderId} is confirmed` });
  await mail.getByText(`Order ${orderId} is confirmed`).click();
  await expect(mail).toContainText(`to ${email}`);

  const receiver = page.locator("section", { has: page.getByRole("heading", { name: "Webhook receiver" }) });
  await expect(receiver.getByText("Signature valid").first()).toBeAttached();

  await charge.getByRole("link", { name: orderId }).click();
  await expect(page).toHaveURL(new RegExp(`/runs\\?q=${orderId}$`));
  await expect(page.getByRole("row").getByRole("link", { name: orderId })).toHaveAttribute("href", `/runs/${run.id}`);
});
