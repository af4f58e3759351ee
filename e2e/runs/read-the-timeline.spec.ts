import { handrail, untilRun } from "../support/api";
import { expectNoAxeViolations } from "../support/axe";
import { expect, test } from "../support/console-errors";
import { openRun, timelineRow } from "../support/screen";

test("a loop is opened, a step found, its bars read by key, and its time zoomed into: all of it in the address", async ({
  page,
}) => {
  const { id } = await handrail.start({ workflow: "user-sync", input: {} });
  await untilRun(id, "completed");
  await openRun(page, id);
  const loop = page.getByRole("button", { name: /steps named sync-user:…/ });
  await expect(loop).toHaveAttribute("aria-expanded", "false");
  await loop.click();
  await expect(page).toHaveURL(/loops=/);
  await expect(page.getByRole("button", { name: /^sync-user:/ }).first()).toBeVisible();
  await loop.click();

  await page.keyboard.press("f");
  await page.keyboard.type("fetch");
  await expect(loop).toBeHidden();
  await timelineRow(page, "fetch-users").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("img", { name: /^attempt 1.* completed, .* to \d\d:\d\d:\d\d/ })).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await expect(timelineRow(page, "fetch-users")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "fetch-users" })).toBeVisible();
  await expect(page).toHaveURL(/step=fetch-users.*find=fetch|find=fetch.*step=fetch-users/);
  await page.keyboard.press("Escape");
  await expect(page).not.toHaveURL(/step=/);

  await page.keyboard.press("+");
  await expect(page).toHaveURL(/from=\d+&to=\d+/);
  await page.reload();
  await expect(page.getByRole("slider", { name: "Visible time range" })).toHaveAttribute("aria-valuetext", /^from /);
  await expectNoAxeViolations(page);
  await page.keyboard.press("0");
  await expect(page).not.toHaveURL(/from=/);

  await page.getByRole("radio", { name: "Steps" }).click();
  await page.getByRole("button", { name: "Clear the search" }).click();
  await page.getByRole("radio", { name: "Longest" }).click();
  await expect(page.getByRole("list", { name: /^Steps: / })).toBeVisible();
  await expectNoAxeViolations(page);
});
