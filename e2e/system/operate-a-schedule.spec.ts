import type { Page } from "@playwright/test";
import { expectNoAxeViolations } from "../support/axe";
import { expect, test } from "../support/console-errors";
import { mouseOf } from "../support/hands";
import { bothWays, job } from "../support/job";
import { carryOut, reasonIn } from "../support/screen";

// All share one schedule: one action after the other.
test.describe.configure({ mode: "serial" });

async function openSchedule(page: Page, hands = mouseOf(page)): Promise<void> {
  await page.goto("/schedules");
  await hands.press(page.getByRole("link", { name: "Nightly user sync" }));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Nightly user sync");
}

const choose = (page: Page, act: string) => page.getByRole("button", { name: act }).click();

test("a schedule is fired now, and its run is found from it", async ({ page }) => {
  await openSchedule(page);
  await expect(page.locator("section", { hasText: "Next times" }).getByRole("listitem")).toHaveCount(5);
  await choose(page, "Run now…");
  await carryOut(page.getByRole("dialog", { name: "Run this schedule now" }), "Run now", "The directory is back");
  const firings = page.locator("section", { hasText: "Recent runs" });
  await expect(firings.getByRole("listitem").first()).toContainText("run manually");
  await firings.getByRole("listitem").first().getByRole("link").click();
  await expect(page).toHaveURL(/\/runs\/[0-9a-f-]{36}/);
});

test("a schedule is paused, says so, and is resumed", async ({ page }) => {
  await openSchedule(page);
  await choose(page, "Pause…");
  await carryOut(page.getByRole("dialog"), "Pause the schedule", "The directory moves tonight");
  await expect(page.getByText("No runs start until it is resumed.")).toBeVisible();
  await expect(page.getByText("paused it: The directory moves tonight")).toBeVisible();
  await choose(page, "Resume…");
  await carryOut(page.getByRole("dialog"), "Resume the schedule", "It has moved");
  await expect(page.locator("section", { hasText: "Next times" }).getByRole("listitem")).toHaveCount(5);
});

job("@job-13", () => {
  test("a backfill starts what its preview shows", async ({ page, hands }) => {
    await openSchedule(page, hands);
    await hands.press(page.getByRole("button", { name: "Backfill…" }));
    const dialog = page.getByRole("dialog", { name: "Backfill this schedule" });
    const last = nightsOfItsOwn(hands.way === "keys" ? 0 : 1);
    await hands.write(dialog.getByLabel("From"), daysAgo(last + 3));
    await hands.write(dialog.getByLabel("To", { exact: true }), daysAgo(last));
    await expect(dialog).toContainText("3 missed runs will start");
    await carryOut(dialog, "Start 3 runs", "Three nights were missed", hands);
    await expect(page.getByText("3 runs started")).toBeVisible();
    await expect(page.getByText("by backfill").first()).toBeVisible();
  });
});

test.describe("with a refusal", () => {
  test.use({ expectedErrors: /422/ });

  test("an edit is visible as such, and is taken back", async ({ page }) => {
    await openSchedule(page);
    await choose(page, "Edit…");
    const dialog = page.getByRole("dialog", { name: "Edit this schedule" });
    await dialog.getByLabel("Cron").fill("0 25 * * *");
    await carryOutAgainst(page, "Save the edit", "Later in the night");
    await expect(dialog.getByRole("alert")).toContainText("does not work");
    await dialog.getByLabel("Cron").fill("30 4 * * *");
    await dialog.getByRole("button", { name: "Save the edit" }).click();
    await expect(dialog).toBeHidden();
    await page.reload();
    await expect(page.getByText("Edited: times")).toBeVisible();
    await expectNoAxeViolations(page);
    await choose(page, "Revert edits…");
    await carryOut(page.getByRole("dialog"), "Revert the edits", "The code is right again");
    await expect(page.getByText("Edited: times")).toBeHidden();
  });
});

bothWays(() => {
  test("a schedule is made for one customer, and removed", async ({ page, hands }) => {
    const name = `of-a-customer-${Date.now()}`;
    await page.goto("/schedules");
    await hands.press(page.getByRole("button", { name: "New schedule…" }));
    const dialog = page.getByRole("dialog", { name: "New schedule" });
    await hands.write(dialog.getByLabel("Name"), "Of a customer");
    await hands.press(dialog.getByRole("button", { name: "Make the schedule" }));
    await expect(dialog.getByText("Use lower-case letters")).toBeVisible();
    await hands.write(dialog.getByLabel("Name"), name);
    await dialog.getByLabel("Workflow").selectOption({ label: "User sync" });
    await hands.write(dialog.getByLabel("Cron"), "15 6 * * 1");
    await carryOut(dialog, "Make the schedule", "They ordered it", hands);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
    await expect(page.locator("section", { hasText: "Next times" }).getByRole("listitem")).toHaveCount(5);
    await expectNoAxeViolations(page);
    await hands.press(page.getByRole("button", { name: "Remove…" }));
    await carryOut(page.getByRole("dialog"), "Remove the schedule", "They left", hands);
    await expect(page).toHaveURL(/\/schedules$/);
    await expect(page.getByRole("link", { name: "Nightly user sync" })).toBeVisible();
    await expect(page.getByRole("link", { name })).toHaveCount(0);
  });
});

async function carryOutAgainst(page: Page, submit: string, reason: string): Promise<void> {
  const dialog = page.getByRole("dialog");
  await reasonIn(dialog).fill(reason);
  await dialog.getByRole("button", { name: submit }).click();
}

/** Three nights that no test has backfilled yet, also on a retry. */
const nightsOfItsOwn = (way: 0 | 1) => 1 + 4 * (2 * Math.floor(Math.random() * 40) + way);

/** At 01:00 UTC of that day: between two nights. */
function daysAgo(days: number): string {
  const at = new Date(Date.now() - days * 86_400_000);
  at.setHours(12, 0, 0, 0);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
