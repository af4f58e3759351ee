import { readFile } from "node:fs/promises";
import { handrail } from "../support/api";
import { expectNoAxeViolations } from "../support/axe";
import { expect, test } from "../support/console-errors";
import { job } from "../support/job";
import { declinedOrder } from "../support/orders";
import { expectNoOverflow } from "../support/overflow";

job("@job-12", () => {
  test("who did what, and what was refused: found by filters, opened to what it changed, exported", async ({
    page,
    hands,
  }) => {
    const { run } = await declinedOrder();
    await handrail.rerun(run.id, { reason: "=The gateway is back" });
    await handrail.rerun(run.id, { reason: "Seen too late", revision: 0 }).catch(() => undefined);

    await page.goto("/audit");
    if (hands.way === "touch") await hands.press(page.getByRole("button", { name: "Filters" }));
    await hands.write(page.getByRole("textbox", { name: "Run" }), run.id);
    await expect(page.getByText(/rows are intact/)).toBeVisible();
    const rows = page.getByRole("list", { name: "Actions" }).getByRole("listitem");
    await expect(rows).toHaveCount(2);
    await expect(rows.nth(0)).toContainText("operator tried to rerun");
    await expect(rows.nth(0)).toContainText("Denied");
    await expect(rows.nth(1)).toContainText("=The gateway is back");

    await hands.choose(page.getByRole("combobox", { name: "Result" }), "Done");
    await expect(rows).toHaveCount(1);
    await expect(page).toHaveURL(/result=done/);
    await hands.press(rows.first().getByText("Before and after"));
    await expect(page.getByText("generation: 1 → 2")).toBeVisible();
    await expectNoOverflow(page);
    await expectNoAxeViolations(page);

    const download = page.waitForEvent("download");
    await hands.press(page.getByRole("link", { name: "CSV" }));
    const text = await readFile(await (await download).path(), "utf8");
    expect(text.split("\r\n")).toHaveLength(3);
    expect(text).toContain(`"'=The gateway is back"`);

    await hands.choose(page.getByRole("combobox", { name: "Action" }), "Cancel");
    await hands.press(page.getByRole("button", { name: "Clear the filters" }));
    await expect(page).toHaveURL(/\/audit$/);
  });
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
