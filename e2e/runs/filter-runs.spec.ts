import type { Page } from "@playwright/test";
import { handrail, untilRun } from "../support/api";
import { expectNoAxeViolations } from "../support/axe";
import { expect, test } from "../support/console-errors";
import { freshId } from "../support/orders";

const HOUR_MS = 3_600_000;
const chip = (page: Page, name: string) =>
  page.getByRole("group", { name: "Filter by status" }).getByRole("button", { name });

/** One run completed, one cancelled, two not begun: all of one account. */
async function fourRuns() {
  const accountId = freshId("acc");
  const start = (runAt?: string) =>
    handrail.start({ workflow: "account-credit", input: { accountId, amountCents: 100 }, ...(runAt && { runAt }) });
  const later = new Date(Date.now() + HOUR_MS).toISOString();
  const [completed, cancelled] = [await start(), await start(later)];
  await Promise.all([start(later), start(later)]);
  await handrail.cancel(cancelled.id, { reason: "Not needed" });
  await untilRun(completed.id, "completed");
  return { accountId, completed, cancelled };
}

test("the chips count and filter; the address holds the filter", async ({ page }) => {
  const { accountId, cancelled } = await fourRuns();
  await page.goto(`/runs?q=${accountId}`);
  const rows = page.getByRole("row");
  await expect(rows).toHaveCount(5);
  await expect(chip(page, "Pending 2")).toHaveAttribute("aria-pressed", "false");
  await expect(chip(page, "Completed 1")).toBeVisible();
  await expect(chip(page, "Failed 0")).toBeVisible();

  await chip(page, "Cancelled 1").click();
  await expect(page).toHaveURL(`/runs?q=${accountId}&status=cancelled`);
  await expect(rows).toHaveCount(2);
  await expect(rows.getByRole("link")).toHaveAttribute("href", `/runs/${cancelled.id}`);
  await expect(chip(page, "Pending 2"), "the counts are of all, whatever is shown").toBeVisible();

  await page.reload();
  await expect(chip(page, "Cancelled 1")).toHaveAttribute("aria-pressed", "true");
  await expect(rows).toHaveCount(2);
  await chip(page, "Cancelled 1").click();
  await expect(page).toHaveURL(`/runs?q=${accountId}`);
  await expect(rows).toHaveCount(5);
});

test("a filter is written with suggestions, found by keys alone, and taken out again", async ({ page }) => {
  const { accountId, cancelled } = await fourRuns();
  await page.goto("/runs");
  const field = page.getByRole("combobox", { name: "Filter runs" });
  // Until the page has hydrated, the key does nothing, or opens the palette.
  await expect(async () => {
    await page.keyboard.press("Escape");
    await page.keyboard.press("/");
    await expect(field).toBeFocused({ timeout: 1_000 });
  }).toPass();
  const take = async (suggestion: string) => {
    const option = page.getByRole("option", { name: suggestion });
    await expect(option).toBeVisible();
    await expect(async () => {
      await page.keyboard.press("ArrowDown");
      await expect(option).toHaveAttribute("aria-selected", "true", { timeout: 500 });
    }).toPass();
    await page.keyboard.press("Enter");
  };
  await field.pressSequentially("workf");
  await take("workflow:");
  await field.pressSequentially("account-c");
  await take("workflow:account-credit");
  await field.pressSequentially(`-status:pending since:1h ${accountId}`);
  const asked = { workflow: "account-credit", not: "status:pending", since: "1h", q: accountId };
  await expect.poll(() => Object.fromEntries(new URL(page.url()).searchParams)).toEqual(asked);
  await expect(page.getByRole("row")).toHaveCount(3);
  await expectNoAxeViolations(page);

  await field.press("Control+A");
  await field.press("Backspace");
  await field.press("Backspace");
  await expect(page).toHaveURL("/runs?workflow=account-credit&since=1h");
  await field.pressSequentially("status:gone ");
  await expect(page.getByText("“gone” is not a status.")).toBeVisible();
  await page.getByRole("button", { name: "Clear the filter" }).click();
  await expect(page).toHaveURL("/runs");

  await field.fill(`${accountId} status:cancelled `);
  await expect(page.getByRole("row")).toHaveCount(2);
  await expect(page.getByRole("row").getByRole("link")).toHaveAttribute("href", `/runs/${cancelled.id}`);
});

test("the way back from a run leads to the list as it was", async ({ page }) => {
  const { accountId, completed } = await fourRuns();
  await page.goto(`/runs?q=${accountId}`);
  await chip(page, "Completed 1").click();
  await expect(page.getByRole("row")).toHaveCount(2);
  await page.getByRole("row").getByRole("link").click();
  await expect(page).toHaveURL(new RegExp(`run=${completed.id}`));
  await page.getByRole("complementary", { name: "Inspector" }).getByRole("link", { name: "Open" }).click();
  await expect(page).toHaveURL(`/runs/${completed.id}`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Credit account is done.");

  await page.goBack();
  await expect(page).toHaveURL(`/runs?q=${accountId}&status=completed&run=${completed.id}`);
  await expect(page.getByRole("row")).toHaveCount(2);
  await expect(page.getByRole("complementary", { name: "Inspector" })).toContainText("Credit account is done.");
});

test("the numbers on the overview lead to what they count", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("link", { name: /Completed$/ }).click();
  await expect(page).toHaveURL("/runs?status=completed");
  await expect(chip(page, "Completed")).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByRole("row").nth(1)).toContainText("Completed");
});

test("asks what runs did and how much they were about, and says what is no question", async ({ page }) => {
  const { accountId, completed } = await fourRuns();
  await page.goto(`/runs?q=${accountId}`);
  const rows = page.getByRole("row");
  await expect(rows).toHaveCount(5);
  const field = page.getByRole("combobox", { name: "Filter runs" });
  const chips = page.getByRole("list", { name: "Filters" }).getByRole("listitem");
  const ask = async (question: string) => {
    await field.fill(`${accountId} ${question} `);
    await expect(chips).toHaveCount(1);
  };
  await ask("did:credit-account");
  await expect(rows).toHaveCount(2);
  await expect(rows.getByRole("link")).toHaveAttribute("href", `/runs/${completed.id}`);
  await expect(chip(page, "Completed 1")).toBeVisible();
  await expectNoAxeViolations(page);
  await page.reload();
  await expect(rows).toHaveCount(2);
  await chips.getByRole("button").click();

  await ask("not:credit-account");
  await expect(chips).toHaveText("not did credit-account");
  await expect(rows).toHaveCount(4);
  await chips.getByRole("button").click();
  await ask("input.amountCents:>99");
  await expect(rows).toHaveCount(5);
  await ask("input.amountCents:>100");
  await expect(page.getByText("No runs match these filters")).toBeVisible();
  await field.fill(`${accountId} took.credit-account:fast `);
  await expect(page.getByText("“fast” is not a duration. Write took.credit-account:>2s")).toBeVisible();
});
