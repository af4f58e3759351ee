import type { Page } from "@playwright/test";
import { handrail, untilRun } from "./support/api";
import { expect, test } from "./support/console-errors";
import { chargesOf } from "./support/ledger";
import { batchFailedInAnOutage, declinedOrder, freshId } from "./support/orders";
import { expectStatus, runRow } from "./support/screen";

/** Tab until it has the focus, as somebody without a mouse would. */
async function tabTo(page: Page, name: string | RegExp, role: "button" | "textbox" | "link" = "button"): Promise<void> {
  const target = page.getByRole(role, { name }).first();
  await expect(target).toBeVisible();
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press("Tab");
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`Tab never came to ${name}.`);
}

test("a run is found and rerun with the keyboard alone", async ({ page }) => {
  const { orderId, step, key, run } = await batchFailedInAnOutage();
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();

  await page.keyboard.press("/");
  await expect(page.getByRole("combobox", { name: "Search or act" })).toBeFocused();
  await page.keyboard.type(key);
  await expect(page.getByRole("option", { name: `Runs with “${key}”` })).toBeVisible();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/runs\\?q=${key}`));
  await expect(runRow(page, key)).toBeVisible();
  await page.keyboard.press("j");
  await expect(runRow(page, key)).toHaveAttribute("aria-current", "true");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/runs/${run.id}`));
  await expectStatus(page, "Failed");

  await tabTo(page, `Rerun from ${step}…`);
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: `Rerun from ${step}` });
  await expect(dialog).toBeVisible();
  await tabTo(page, "Why (it stands in the audit)", "textbox");
  await page.keyboard.type("The gateway is back");
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expectStatus(page, "Completed");
  await untilRun(run.id, "completed");
  expect(await chargesOf(orderId)).toMatchObject([{ requests: 1 }]);

  // Whoever has no mouse goes on from where the page is, not from its very beginning.
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe("BODY");
});

test("J and K move through a list, Enter opens, Esc closes", async ({ page }) => {
  const accountId = freshId("acc");
  for (const amountCents of [100, 200, 300])
    await handrail.start({ workflow: "account-credit", input: { accountId, amountCents } });
  const { runs } = await handrail.runs({ q: accountId });
  const [newest, middle] = runs.map(({ id }) => id) as [string, string];

  await page.goto(`/runs?q=${accountId}`);
  const current = page.locator("tr[aria-current]");
  await expect(page.getByRole("row")).toHaveCount(4);
  await page.keyboard.press("j");
  await expect(current).toHaveId(`run-${newest}`);
  await page.keyboard.press("j");
  await expect(current).toHaveId(`run-${middle}`);
  await expect(page.getByRole("complementary", { name: "Inspector" })).toContainText("Credit account is done.");
  await page.keyboard.press("k");
  await expect(current).toHaveId(`run-${newest}`);
  await page.keyboard.press("Escape");
  await expect(current).toHaveCount(0);
  await expect(page.getByRole("complementary", { name: "Inspector" })).toBeHidden();

  await page.keyboard.press("j");
  await expect(current).toHaveId(`run-${newest}`);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/runs/${newest}`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Credit account is done.");
  await page.keyboard.press("j");
  await expect(page).toHaveURL(/step=credit-account/);
  await page.keyboard.press("Escape");
  await expect(page).not.toHaveURL(/step=/);
});

test("a button that has the focus is pressed by Enter, whatever is selected in the list", async ({ page }) => {
  const { orderId } = await declinedOrder();
  await page.goto(`/runs?q=${orderId}`);
  await expect(runRow(page, orderId)).toBeVisible();
  await page.keyboard.press("j");
  await tabTo(page, "Rerun from charge-payment…");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Rerun from charge-payment" });
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("button", { name: "Rerun from charge-payment…" })).toBeFocused();
});

test("the question mark shows the keys, and typing one is not pressing one", async ({ page }) => {
  await page.goto("/runs");
  await expect(page.getByRole("row").nth(1)).toBeVisible();
  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keys" });
  await expect(keys.getByText("Find any id or business key")).toBeVisible();
  await page.keyboard.press("j");
  await page.keyboard.press("Escape");
  await expect(keys).toBeHidden();
  await expect(page).toHaveURL("/runs");

  await page.keyboard.press("/");
  await page.keyboard.type("jk?");
  await expect(page.getByRole("combobox", { name: "Filter runs" })).toHaveValue("jk?");
  await expect(page).toHaveURL(/q=jk(%3F|\?)$/);
});
