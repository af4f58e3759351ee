import { expectNoAxeViolations } from "../support/axe";
import { expect, test } from "../support/console-errors";
import { bothWays } from "../support/job";
import { expectNoOverflow } from "../support/overflow";

test.use({ person: null });

bothWays(() => {
  test("a visitor of the demo chooses a role, sees it on every page, and can switch it", async ({ page, hands }) => {
    await page.goto("/workers");
    await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
    await expectNoAxeViolations(page);
    await expectNoOverflow(page);
    await hands.press(page.getByRole("button", { name: "Continue as operator" }));

    const banner = page.getByRole("region", { name: "The demo" });
    await expect(banner).toContainText("you are the operator");
    await page.goto("/runs");
    await expect(page.getByRole("button", { name: "Start a run" }).first()).not.toHaveAttribute("aria-disabled");

    await hands.press(banner.getByRole("button", { name: "Switch role" }));
    await expectNoAxeViolations(page);
    await hands.press(page.getByRole("menuitem", { name: "Viewer" }));
    await expect(banner).toContainText("you are the viewer");
    await expect(page).toHaveURL(/\/runs$/);
    await expect(page.getByRole("button", { name: "Start a run" }).first()).toHaveAttribute("aria-disabled", "true");
    await expectNoOverflow(page);
  });
});
