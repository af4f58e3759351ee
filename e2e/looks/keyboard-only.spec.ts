import { handrail } from "../support/api";
import { expect, test } from "../support/console-errors";
import { declinedOrder, freshId } from "../support/orders";
import { openByKey, runRow } from "../support/screen";

test.use({ way: "keys" });

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

test("a button that has the focus is pressed by Enter, whatever is selected in the list", async ({ page, hands }) => {
  const { orderId } = await declinedOrder();
  await page.goto(`/runs?q=${orderId}`);
  await expect(runRow(page, orderId)).toBeVisible();
  await page.keyboard.press("j");
  await hands.press(page.getByRole("button", { name: "Rerun from charge-payment…" }));
  const dialog = page.getByRole("dialog", { name: "Rerun from charge-payment" });
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("button", { name: "Rerun from charge-payment…" })).toBeFocused();
});

test("the question mark shows the keys, and typing one is not pressing one", async ({ page }) => {
  await page.goto("/runs");
  await expect(page.getByRole("row").nth(1)).toBeVisible();
  const keys = page.getByRole("dialog", { name: "Keys" });
  await openByKey(page, "?", keys);
  await expect(keys.getByText("Find any title, id or business key")).toBeVisible();
  await page.keyboard.press("j");
  await page.keyboard.press("Escape");
  await expect(keys).toBeHidden();
  await expect(page).toHaveURL("/runs");

  await page.keyboard.press("/");
  await page.keyboard.type("jk?");
  await expect(page.getByRole("combobox", { name: "Filter runs" })).toHaveValue("jk?");
  await expect(page).toHaveURL(/q=jk(%3F|\?)$/);
});
