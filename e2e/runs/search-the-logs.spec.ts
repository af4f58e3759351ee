import { handrail, untilRun } from "../support/api";
import { expectNoAxeViolations } from "../support/axe";
import { expect, test } from "../support/console-errors";
import { expectNoOverflow } from "../support/overflow";

test("workflows are typed one after the other, with a comma between them", async ({ page }) => {
  await page.goto("/logs");
  const field = page.getByRole("textbox", { name: "Workflow" });
  await field.pressSequentially("user-sync, order-fulfilment");
  await expect(field).toHaveValue("user-sync, order-fulfilment");
  await expect(page).toHaveURL(/workflow=user-sync,order-fulfilment/);
});

test("a line is found among those of all runs, and leads to its step", async ({ page }) => {
  const run = await handrail.start({ workflow: "user-sync", input: {} });
  await untilRun(run.id, "completed");
  await page.goto("/logs?workflow=user-sync");
  const lines = page.getByRole("list", { name: "Log lines" });
  await expect(lines.getByRole("listitem").first()).toBeVisible();
  await expectNoAxeViolations(page);
  await expectNoOverflow(page);

  await page
    .getByRole("textbox", { name: "Search log lines" })
    .or(page.getByRole("searchbox", { name: "Search log lines" }))
    .fill("nothing-says-this");
  await expect(page).toHaveURL(/q=nothing-says-this/);
  await expect(page.getByText("No matching lines")).toBeVisible();
  await expectNoAxeViolations(page);

  await page.goto(`/logs?workflow=user-sync&after=${new Date(Date.now() - 3_600_000).toISOString()}`);
  const link = lines.locator(`a[href^="/runs/${run.id}"]`).first();
  await link.click();
  await expect(page).toHaveURL(new RegExp(`/runs/${run.id}`));
});
