import { handrail, untilRun } from "../support/api";
import { expectNoAxeViolations } from "../support/axe";
import { expect, test } from "../support/console-errors";
import { imagesInTrouble } from "../support/images";
import { aFamily } from "../support/pages";
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
  // Behind the bars may be a mark of how long the step usually takes, once there were enough runs.
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
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

test("a run opens at the step that stopped it, a link at the step it names, and Back leads away from either", async ({
  page,
}) => {
  const { failed, unknown } = await imagesInTrouble();
  const inspector = page.getByRole("complementary", { name: "Inspector" });
  const store = timelineRow(page, "store-image");
  await page.goto("/workers");
  for (const { id } of [failed, unknown]) {
    await openRun(page, id);
    await expect(store).toHaveAttribute("aria-pressed", "true");
    await expect(inspector.getByRole("heading", { name: "store-image" })).toBeVisible();
    await expect(page).toHaveURL(/\/runs\/[0-9a-f-]+$/);
    await page.goBack();
    await expect(page).toHaveURL(/\/workers$/);
  }
  await openRun(page, failed.id);
  await expect(store).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("Escape");
  await expect(store).toHaveAttribute("aria-pressed", "false");
  await inspector.getByRole("link", { name: "store-image" }).click();
  await expect(inspector.getByRole("heading", { name: "store-image" })).toBeVisible();

  const { order } = await aFamily();
  await openRun(page, order, "?step=create-order");
  await expect(timelineRow(page, "create-order")).toHaveAttribute("aria-pressed", "true");
  await expect(timelineRow(page, "charge-payment")).toHaveAttribute("aria-pressed", "false");
  await page.setViewportSize({ width: 720, height: 450 });
  await openRun(page, failed.id);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByRole("dialog")).toBeHidden();
  await page.getByRole("link", { name: "Open step store-image" }).click();
  await expect(page.getByRole("dialog", { name: "store-image" })).toBeVisible();
});
