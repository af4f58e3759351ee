import { handrail, untilRun } from "../support/api";
import { expect, test } from "../support/console-errors";
import { freshId } from "../support/orders";
import { chooseAct } from "../support/screen";

test("a link opens the dialog of an action, Back closes it, and a closed action says why", async ({ page }) => {
  const { id } = await handrail.start({
    workflow: "account-credit",
    input: { accountId: freshId("acc"), amountCents: 100 },
  });
  await untilRun(id, "completed");
  const dialog = page.getByRole("dialog", { name: "Start a new run" });

  // The window hides the page behind it, its heading too.
  await page.goto(`/runs/${id}?act=start_again`);
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(`/runs/${id}`);

  await chooseAct(page, "Start a new run…");
  await expect(dialog).toBeVisible();
  await expect(page).toHaveURL(`/runs/${id}?act=start_again`);
  await page.goBack();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(`/runs/${id}`);

  await page.goto(`/runs/${id}?act=pause`);
  await expect(page.getByRole("dialog", { name: "This cannot be done now" })).toContainText("has ended");
});
