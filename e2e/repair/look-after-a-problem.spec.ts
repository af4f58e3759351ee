import type { Locator, Page } from "@playwright/test";
import type { ProblemListResponse } from "../../lib/api/contract/problems";
import { ask } from "../support/api";
import { expectNoAxeViolations } from "../support/axe";
import { expect, test } from "../support/console-errors";
import { mend } from "../support/faults";
import { declinedOrder } from "../support/orders";
import { carryOut, expectStatus, reasonIn } from "../support/screen";

// A gateway that is down declines nothing.
test.beforeEach(() => mend("payments"));

/** The problem of declined cards, once it holds this run: other specs have had cards declined, too. */
async function problemOf(runId: string): Promise<string> {
  let id = "";
  await expect
    .poll(async () => {
      const { body } = await ask<ProblemListResponse>("GET", "/problems?q=declined&workflow=order-fulfilment");
      id = body.problems.find(({ example }) => example.runId === runId)?.id ?? "";
      return id;
    })
    .not.toBe("");
  return id;
}

const dialogOf = (page: Page, name: string): Locator => page.getByRole("dialog", { name });
const history = (page: Page) => page.locator("section").filter({ has: page.getByRole("heading", { name: "History" }) });

test("a problem is found, taken, noted, muted, resolved, and comes back by itself", async ({ page }) => {
  const { run } = await declinedOrder();
  const id = await problemOf(run.id);
  await page.goto("/problems");
  await page.getByRole("searchbox", { name: "Error or step" }).fill("declined");
  const row = page.locator(`#problem-${id}`); // other specs may have had cards declined in other words
  await expect(row).toContainText("answered 402");
  await expectNoAxeViolations(page);
  await row.getByRole("link").first().click();
  await expect(page).toHaveURL(new RegExp(`[?&]problem=${id}$`));
  const inspector = page.getByRole("complementary", { name: "Inspector" });
  await expect(inspector.getByRole("button", { name: /^Plan a rerun of/ })).toBeVisible();
  await expect(inspector.getByRole("list", { name: "Affected runs" })).toBeVisible();
  await expectNoAxeViolations(page);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/problems/${id}`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("at charge-payment");
  await expect(page.getByRole("list", { name: "Affected runs" })).toBeVisible();
  await expectNoAxeViolations(page);

  await page.getByRole("button", { name: "Assign…" }).click();
  await dialogOf(page, "Assign this problem").getByRole("textbox", { name: "Assignee" }).fill("operator");
  await dialogOf(page, "Assign this problem").getByRole("button", { name: "Assign to operator" }).click();
  await expect(history(page)).toContainText("operator assigned");

  await page.getByRole("button", { name: "Add note…" }).click();
  await dialogOf(page, "Add note").getByRole("textbox", { name: "Note" }).fill("The bank asks for a code");
  await dialogOf(page, "Add note").getByRole("button", { name: "Add note" }).click();
  await expect(history(page)).toContainText("The bank asks for a code");

  await page.getByRole("button", { name: "Watch", exact: true }).click();
  await expect(page.getByText("You watch it", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Stop watching" })).toBeVisible();

  await page.getByRole("button", { name: "Mute…" }).click();
  await carryOut(dialogOf(page, "Mute this problem"), "Mute the problem", "Known");
  await expectStatus(page, "Muted");

  await page.getByRole("button", { name: "Resolve…" }).click();
  await carryOut(dialogOf(page, "Resolve this problem"), "Resolve the problem", "They sent a code");
  await expectStatus(page, "Resolved");

  await declinedOrder();
  await expectStatus(page, "Open");
  await expect(page.getByText("Reopened after a repair")).toBeVisible();
});

test("a watched problem is marked in the list and in the Inbox until its watcher looks, and again with the next change", async ({
  page,
}) => {
  const { run } = await declinedOrder();
  const id = await problemOf(run.id);
  await ask("POST", `/problems/${id}/watch/end`, {});
  await page.goto(`/problems/${id}`);
  await page.getByRole("button", { name: "Watch", exact: true }).click();
  await expect(page.getByRole("button", { name: "Stop watching" })).toBeVisible();
  await expectNoAxeViolations(page);

  await page.goto("/problems");
  await page.getByRole("button", { name: "Watched by me" }).click();
  await expect(page).toHaveURL(/[?&]watched=true/);
  const row = page.locator(`#problem-${id}`);
  await expect(row).toContainText("you watch it");
  await expect(row).not.toContainText("New:");
  for (const reason of ["The bank has answered", "It has answered again"]) {
    await ask("POST", `/problems/${id}/notes`, { text: reason });
    await page.goto("/problems?watched=true&status=all");
    await expect(row).toContainText("New: operator wrote");
    await page.goto("/");
    await expect(page.getByText("New: operator wrote").first()).toBeVisible();
    await expectNoAxeViolations(page);
    await page.goto("/problems?watched=true&status=all");
    await row.getByRole("link").first().click();
    await expect(
      page.getByRole("complementary", { name: "Inspector" }).getByText("You watch it", { exact: true }),
    ).toBeVisible();
    await expect(row).not.toContainText("New:");
  }
});

test("from a problem to a plan of all its runs, and to the operation that carries it out", async ({ page }) => {
  await declinedOrder();
  const { run } = await declinedOrder();
  const id = await problemOf(run.id);
  await page.goto(`/problems/${id}`);
  await page.getByRole("button", { name: /^Plan a rerun of \d+ runs…$/ }).click();
  const dialog = page.getByRole("dialog", { name: /^Rerun \d+ runs$/ });
  await reasonIn(dialog).fill("They have new cards");
  await dialog.getByRole("button", { name: /^Rerun \d+ runs$/ }).click();
  await expect(page).toHaveURL(/\/operations\/[0-9a-f-]{36}$/);
  const operationId = page.url().split("/").at(-1);

  await page.goto(`/problems/${id}`);
  await expect(page.getByText(/Reopened after a (rerun|repair)/)).toBeVisible();
  // Run after run, and then counted behind them.
  await expect(page.getByText(/\d+ repaired runs? failed again/)).toBeVisible({ timeout: 40_000 });
  await ask("POST", `/operations/${operationId}/abortion`, { reason: "The spec is done" });
});
