import { expect, test } from "../support/console-errors";
import { aScene } from "../support/pages";

test("the inbox is worked through by keys: J to a run, a letter to its action, Esc back, Enter to its page", async ({
  page,
}) => {
  await aScene();
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "Needs attention" })).toBeVisible();
  const row = page.locator('[data-attention="compensation_owed"]').first();
  await expect(row).toBeVisible();
  const link = row.getByRole("link").first();
  await expect(async () => {
    await page.keyboard.press("j");
    await expect(link).toBeFocused({ timeout: 200 });
  }).toPass();
  await page.keyboard.press("m");
  const dialog = page.getByRole("dialog", { name: /^Resolve compensation/ });
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(link).toBeFocused();
  await page.keyboard.press("z");
  const snooze = page.getByRole("dialog", { name: /^Snooze/ });
  await expect(snooze).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(snooze).toBeHidden();
  await expect(link).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/runs\//);
});
