import { expectNoAxeViolations } from "./support/axe";
import { expect, test } from "./support/console-errors";
import { expectNoOverflow } from "./support/overflow";

test.use({ person: null });

test("whoever opens the demo chooses whom to be, is told so on every page, and may be somebody else", {
  tag: "@phone",
}, async ({ page }) => {
  await page.goto("/workers");
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await expectNoAxeViolations(page);
  await expectNoOverflow(page);
  await page.getByRole("button", { name: "Be the operator" }).click();

  const banner = page.getByRole("region", { name: "The demo" });
  await expect(banner).toContainText("you are the operator");
  await page.goto("/runs");
  await expect(page.getByRole("button", { name: "Start a run" }).first()).not.toHaveAttribute("aria-disabled");

  await banner.getByRole("button", { name: "Be somebody else" }).click();
  await expectNoAxeViolations(page);
  await page.getByRole("menuitem", { name: "Viewer" }).click();
  await expect(banner).toContainText("you are the viewer");
  await expect(page).toHaveURL(/\/runs$/);
  await expect(page.getByRole("button", { name: "Start a run" }).first()).toHaveAttribute("aria-disabled", "true");
  await expectNoOverflow(page);
});
