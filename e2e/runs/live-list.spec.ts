import { handrail } from "../support/api";
import { expect, test } from "../support/console-errors";
import { freshId } from "../support/orders";

const HOUR_MS = 3_600_000;

test("a row changes in place, and a new run waits until it is asked for", async ({ page }) => {
  const accountId = freshId("acc");
  const input = { accountId, amountCents: 100 };
  const runAt = new Date(Date.now() + HOUR_MS).toISOString();
  const waiting = await handrail.start({ workflow: "account-credit", input, runAt });
  await page.goto(`/runs?q=${accountId}`);
  const rows = page.getByRole("row");
  await expect(rows.nth(1)).toContainText("Pending");
  await expect(page.getByRole("status").filter({ hasText: /^Live$/ })).toBeVisible();

  await handrail.cancel(waiting.id, { reason: "Not needed" });
  await expect(rows.nth(1)).toContainText("Cancelled");

  const newer = await handrail.start({ workflow: "account-credit", input });
  const held = page.getByRole("button", { name: "1 new run · show" });
  await expect(held).toBeVisible();
  await expect(rows).toHaveCount(2);
  await held.click();
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(1).getByRole("link")).toHaveAttribute("href", `/runs/${newer.id}`);
  await expect(rows.nth(2).getByRole("link")).toHaveAttribute("href", `/runs/${waiting.id}`);
  await expect(held).toBeHidden();
});

test("paused, nothing on the screen moves; going on catches up", async ({ page }) => {
  const accountId = freshId("acc");
  const input = { accountId, amountCents: 100 };
  const runAt = new Date(Date.now() + HOUR_MS).toISOString();
  const [first, second] = [
    await handrail.start({ workflow: "account-credit", input, runAt }),
    await handrail.start({ workflow: "account-credit", input, runAt }),
  ];
  await page.goto(`/runs?q=${accountId}`);
  const other = await page.context().newPage();
  await other.goto(`/runs?q=${accountId}`);
  await page.getByRole("button", { name: "Pause updating" }).click();
  await expect(page.getByText("Paused")).toBeVisible();

  await handrail.cancel(first.id, { reason: "Not needed" });
  // The other page has heard of it, and so this one could have.
  await expect(other.locator(`#run-${first.id}`)).toContainText("Cancelled");
  await expect(page.locator(`#run-${first.id}`)).toContainText("Pending");
  await page.getByRole("button", { name: "Resume updating" }).click();
  await expect(page.locator(`#run-${first.id}`)).toContainText("Cancelled");
  await expect(page.locator(`#run-${second.id}`)).toContainText("Pending");
});

test("the page of a run follows it to its end", async ({ page }) => {
  const accountId = freshId("acc");
  const { id } = await handrail.start({
    workflow: "account-credit",
    input: { accountId, amountCents: 100 },
    runAt: new Date(Date.now() + 4_000).toISOString(),
  });
  await page.goto(`/runs/${id}`);
  const status = page.getByRole("main").getByRole("status");
  await expect(status.filter({ hasText: /^Pending$/ })).toBeVisible();
  await expect(status.filter({ hasText: /^Completed$/ })).toBeVisible();
  await expect(page.getByRole("button", { name: /^credit-account: Completed/ })).toBeVisible();
});
