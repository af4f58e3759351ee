import { handrail } from "../support/api";
import { expectNoAxeViolations } from "../support/axe";
import { expect, test } from "../support/console-errors";
import { reasonIn } from "../support/screen";

test("an operator changes the limits of a workflow, live, and puts the code's back", async ({ page }) => {
  await page.goto("/workflows");
  const item = page.getByRole("listitem").filter({ hasText: "profile-image" });
  await expect(item).toContainText("1 at once per key");
  await expect(item).toContainText("as in code");

  await item.getByRole("button", { name: "Change the limits of Profile image" }).click();
  const dialog = page.getByRole("dialog", { name: "Limits of Profile image" });
  await dialog.getByLabel("Runs at once, per key").fill("nought");
  await dialog.getByRole("button", { name: "Change the limits" }).click();
  await expect(dialog).toContainText("A whole number from 1 to 10000");
  await expect(dialog).toContainText("Enter a reason");
  await dialog.getByLabel("Runs at once, per key").fill("4");
  await dialog.getByLabel("Runs at once, of all keys").fill("30");
  await reasonIn(dialog).fill("A big import");
  await expectNoAxeViolations(page);
  await dialog.getByRole("button", { name: "Change the limits" }).click();
  await expect(dialog).toBeHidden();
  await expect(item).toContainText("4 at once per key");
  await expect(item).toContainText("30 at once in all");
  await expect(item).toContainText("set by");

  await item.getByRole("button", { name: "Change the limits of Profile image" }).click();
  await dialog.getByLabel("Runs at once, per key").fill("");
  await dialog.getByLabel("Runs at once, of all keys").fill("");
  await reasonIn(dialog).fill("The import is done");
  await dialog.getByRole("button", { name: "Revert to code" }).click();
  await expect(item).toContainText("as in code");
  const { workflows } = await handrail.workflows();
  expect(workflows.find(({ name }) => name === "profile-image")?.liveLimits).toBeNull();
});
