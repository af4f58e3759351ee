import { readFile } from "node:fs/promises";
import { handrail } from "./support/api";
import { expectNoAxeViolations } from "./support/axe";
import { expect, test } from "./support/console-errors";
import { declinedOrder } from "./support/orders";
import { expectNoOverflow } from "./support/overflow";

test("who did what, and what was refused: found by filters, opened to what it changed, exported @phone", async ({
  page,
}) => {
  const { run } = await declinedOrder();
  await handrail.rerun(run.id, { reason: "=The gateway is back" });
  await handrail.rerun(run.id, { reason: "Seen too late", revision: 0 }).catch(() => undefined);

  await page.goto("/audit");
  await page.getByRole("textbox", { name: "Run" }).fill(run.id);
  await expect(page.getByText(/rows are what was written/)).toBeVisible();
  const rows = page.getByRole("list", { name: "Acts" }).getByRole("listitem");
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(0)).toContainText("operator tried to rerun");
  await expect(rows.nth(0)).toContainText("Denied");
  await expect(rows.nth(1)).toContainText("=The gateway is back");

  await page.getByRole("combobox", { name: "Result" }).selectOption("done");
  await expect(rows).toHaveCount(1);
  await expect(page).toHaveURL(/result=done/);
  await rows.first().getByText("Before and after").click();
  await expect(page.getByText("generation: 1 → 2")).toBeVisible();
  await expectNoOverflow(page);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator("html")).toHaveAttribute("data-theme", colorScheme);
    await expectNoAxeViolations(page, { coloursOnly: colorScheme === "dark" });
    await page.screenshot({ path: test.info().outputPath(`audit-${colorScheme}.png`), fullPage: true });
  }

  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "CSV" }).click();
  const text = await readFile(await (await download).path(), "utf8");
  expect(text.split("\r\n")).toHaveLength(3);
  expect(text).toContain(`"'=The gateway is back"`);

  await page.getByRole("combobox", { name: "Act" }).selectOption("cancel");
  await page.getByRole("button", { name: "Clear the filters" }).click();
  await expect(page).toHaveURL(/\/audit$/);
});

test.describe("as a viewer", () => {
  test.use({ person: "viewer", expectedErrors: /403/ });

  test("the audit says that it is not theirs to see, and gives no way to take it along", async ({ page }) => {
    await page.goto("/audit");
    await expect(page.getByText("You may not look at the audit. It takes the role operator.")).toBeVisible();
    await expect(page.getByRole("link", { name: "CSV" })).toBeHidden();
    await expectNoAxeViolations(page);
    expect((await page.request.get("/api/v1/audit/export?format=csv")).status()).toBe(403);
  });
});
