import { handrail, untilRun } from "../support/api";
import { expectNoAxeViolations } from "../support/axe";
import { expect, test } from "../support/console-errors";
import { expectNoOverflow } from "../support/overflow";
import { openRun, timelineRow } from "../support/screen";

async function aSync(): Promise<string> {
  const { id } = await handrail.start({ workflow: "user-sync", input: {} });
  await untilRun(id, "completed");
  return id;
}

test("a run's history is stepped through by key, says what happened, and its moment can be shared", async ({
  page,
}) => {
  await openRun(page, await aSync());
  await page.getByRole("button", { name: "History" }).click();
  const bar = page.getByRole("region", { name: "History of the run" });
  const slider = bar.getByRole("slider", { name: "Moment in the run's history" });
  await expect(bar.getByRole("status")).toContainText("The run ended: completed.");
  await slider.focus();
  await page.keyboard.press("Home");
  await expect(bar.getByRole("status")).toContainText("The run was created.");
  await expect(timelineRow(page, "fetch-users")).toBeHidden();
  // As far as its first step: the claim comes before it.
  const words = bar.getByRole("status");
  for (let moment = 0; moment < 4 && !(await words.textContent())?.includes("began"); moment++)
    await page.keyboard.press("ArrowRight");
  await expect(words).toContainText("fetch-users attempt 1");
  await expect(page.getByRole("button", { name: /^fetch-users: Running/ })).toBeVisible();
  await expect(page).toHaveURL(/at=\d+/);
  await expectNoAxeViolations(page);

  const shared = await words.textContent();
  await page.reload();
  await expect(words).toHaveText(shared ?? "");
  await expect(page.getByRole("button", { name: /^fetch-users: Running/ })).toBeVisible();
  await bar.getByRole("button", { name: "Next state" }).click();
  await expect(page.getByRole("button", { name: /^fetch-users: Completed/ })).toBeVisible();
  await bar.getByRole("button", { name: "Back to now" }).click();
  await expect(bar).toBeHidden();
  await expect(page).not.toHaveURL(/at=/);
});

test("what is normal, a good run and the log are on the timeline's axis, and lead to the line and the attempt", async ({
  page,
}) => {
  await aSync();
  const id = await aSync();
  await openRun(page, id);
  await page.getByRole("button", { name: "Overlays" }).click();
  const overlays = page.getByRole("dialog", { name: "Overlays" });
  await overlays.getByRole("checkbox", { name: /^A good run/ }).check();
  await overlays.getByRole("checkbox", { name: /^Log lines/ }).check();
  await expect(overlays.getByRole("link", { name: "The newest of this version that completed" })).toHaveAttribute(
    "href",
    /^\/runs\/[0-9a-f-]{36}$/,
  );
  await expectNoAxeViolations(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("img", { name: /in a good run$/ }).first()).toBeVisible();
  await expect(page).toHaveURL(/overlays=usual,good,logs/);
  await expectNoAxeViolations(page);
  await page.getByRole("link", { name: /^log: the directory has \d+ users/ }).click();
  const line = page.getByRole("list", { name: "Log" }).locator("[aria-current=true]");
  await expect(line).toContainText(/the directory has \d+ users/);
  await expect(page).toHaveURL(/tab=logs&line=/);

  await page.goto(`/runs/${id}?step=fetch-users&attempt=1`);
  const inspector = page.getByRole("complementary", { name: "Inspector" });
  await expect(inspector.locator("li[aria-current=true]")).toContainText("Completed");
  await expect(inspector.getByRole("link", { name: "The same step of a good run" })).toHaveAttribute(
    "href",
    /^\/runs\/[0-9a-f-]{36}\?step=fetch-users$/,
  );
  await expectNoAxeViolations(page);
});

test("the history fits a phone, dark and in the system's colours", async ({ page }) => {
  const id = await aSync();
  await page.setViewportSize({ width: 360, height: 740 });
  await page.emulateMedia({ colorScheme: "dark" });
  await openRun(page, id, "?view=timeline&at=1&overlays=usual,good,logs,spans");
  await expect(page.getByRole("slider", { name: "Moment in the run's history" })).toBeVisible();
  await expectNoOverflow(page);
  await expectNoAxeViolations(page);
  await page.emulateMedia({ forcedColors: "active" });
  await expectNoAxeViolations(page);
});
