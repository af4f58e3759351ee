import type { Locator, Page } from "@playwright/test";
import type { ErrorResponse } from "../../lib/api/contract/responses";
import { ask, handrail, untilRun } from "../support/api";
import { expect, test } from "../support/console-errors";
import { freshId } from "../support/orders";
import { openByPress, openRun } from "../support/screen";

const HOUR_MS = 3_600_000;

const startedCredit = (runAt?: string) =>
  handrail.start({
    workflow: "account-credit",
    input: { accountId: freshId("acc"), amountCents: 100 },
    ...(runAt && { runAt }),
  });

const UNAVAILABLE = /^Show \d+ unavailable actions$/;

async function closedItem(page: Page, label: string) {
  await openByPress(page.getByRole("button", { name: "Actions" }), page.getByRole("menu"));
  await page.getByRole("menuitem", { name: UNAVAILABLE }).click();
  const item = page.getByRole("menuitem", { name: label });
  await expect(item).toHaveAttribute("aria-disabled", "true");
  return item;
}

/** The server's sentence when it is asked all the same. */
async function refusalOf(path: string): Promise<string> {
  const { status, body } = await ask<ErrorResponse>("POST", path, { reason: "All the same" });
  expect(status).toBe(409);
  expect(body.error.code).toBe("not_allowed");
  return body.error.message;
}

test("a run that has ended cannot be cancelled: the menu says why, and the server says the same", async ({ page }) => {
  const { id } = await startedCredit();
  await untilRun(id, "completed");
  await openRun(page, id);
  const item = await closedItem(page, "Cancel the run…");
  await expect(item).toContainText("The run has ended (completed).");
  // A press does nothing, and the reason stays to be read.
  await item.click({ force: true });
  await expect(item).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect(await refusalOf(`/runs/${id}/cancellation`)).toBe("The run has ended (completed).");
});

test("without a declared compensation there is nothing to compensate", async ({ page }) => {
  const { id } = await startedCredit();
  await untilRun(id, "completed");
  await openRun(page, id);
  const because = "No completed step of this run declares a compensation.";
  await expect(await closedItem(page, "Compensate…")).toContainText(because);
  expect(await refusalOf(`/runs/${id}/compensations`)).toBe(because);
});

test("a run that has not begun has nothing to rerun", async ({ page }) => {
  const { id } = await startedCredit(new Date(Date.now() + HOUR_MS).toISOString());
  await openRun(page, id);
  const because = "The run is waiting for a worker to take it up; there is nothing to repair yet.";
  await expect(await closedItem(page, "Rerun from a step…")).toContainText(because);
  expect(await refusalOf(`/runs/${id}/reruns`)).toBe(because);
});

test("a closed action is reached and read with the keyboard", async ({ page }) => {
  const { id } = await startedCredit();
  await untilRun(id, "completed");
  await openRun(page, id);
  await page.getByRole("button", { name: "Actions" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menu")).toBeVisible();
  const goDownTo = async (item: Locator) => {
    for (let presses = 0; presses < 12; presses++) {
      if (await item.evaluate((it) => it === document.activeElement)) break;
      const before = await page.evaluateHandle(() => document.activeElement);
      await page.keyboard.press("ArrowDown");
      // The menu moves the focus a moment later: a second press before that would pass the item.
      await page.waitForFunction((from) => document.activeElement !== from, before);
    }
    await expect(item).toBeFocused();
  };
  await goDownTo(page.getByRole("menuitem", { name: UNAVAILABLE }));
  await page.keyboard.press("Enter");
  const cancel = page.getByRole("menuitem", { name: "Cancel the run…" });
  await goDownTo(cancel);
  await page.keyboard.press("Enter");
  await expect(cancel).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Actions" })).toBeFocused();
});
