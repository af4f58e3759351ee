import type { Page, Route } from "@playwright/test";
import type { ErrorResponse } from "../../lib/api/contract/responses";
import { handrail, untilRun } from "../support/api";
import { expect, test } from "../support/console-errors";
import { freshId } from "../support/orders";

// Rare server answers are mocked here.

const REQUEST_ID = "5f0c3a52-8f0e-4f0e-9d1a-000000000500";

const trouble = (route: Route) => {
  const body: ErrorResponse = {
    error: { code: "internal", message: "Something went wrong on the server.", details: {}, requestId: REQUEST_ID },
  };
  return route.fulfill({ status: 500, json: body });
};

/** Answers are held until `release` is called; what the router fetches ahead is not. */
async function hold(page: Page, url: string | RegExp) {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(url, async (route) => {
    if (!route.request().headers()["next-router-prefetch"]) await held;
    await route.continue();
  });
  return release;
}

async function aCompletedRun() {
  const accountId = freshId("acc");
  const { id } = await handrail.start({ workflow: "account-credit", input: { accountId, amountCents: 100 } });
  await untilRun(id, "completed");
  return { accountId, id };
}

test("while an answer is on its way, its place is kept", async ({ page }) => {
  const { accountId, id } = await aCompletedRun();
  await page.goto(`/runs?q=${accountId}`);
  await expect(page.getByRole("row")).toHaveCount(2);
  const release = await hold(page, `**/api/v1/runs/${id}*`);
  await page.keyboard.press("j");
  const inspector = page.getByRole("complementary", { name: "Inspector" });
  await expect(inspector.getByRole("status").filter({ hasText: "Loading the run" })).toBeVisible();
  release();
  await expect(inspector.getByRole("heading", { level: 2 }).first()).toContainText("Credit account is done.");
});

test("a card is there before what it shows", async ({ page }) => {
  const release = await hold(page, "**/api/v1/sandbox/payments/ledger");
  await page.goto("/sandbox");
  const card = page.locator("section").filter({ has: page.getByRole("heading", { name: "The gateway’s ledger" }) });
  await expect(card).toBeVisible();
  await expect(page.getByRole("heading", { name: "Mailbox" })).toBeVisible();
  await expect(card.getByText(/charged twice/).first()).toBeHidden();
  release();
  await expect(card.getByText(/charged twice/).first()).toBeVisible();
});

test.describe("when the server is in trouble", () => {
  test.use({ expectedErrors: /500 \(Internal Server Error\)|ERR_FAILED/ });

  test("what could not be loaded says so, with the request's id and another try", async ({ page }) => {
    const { accountId, id } = await aCompletedRun();
    await page.goto(`/runs?q=${accountId}`);
    await expect(page.getByRole("row")).toHaveCount(2);
    await page.route(`**/api/v1/runs/${id}*`, trouble);
    await page.keyboard.press("j");
    const inspector = page.getByRole("complementary", { name: "Inspector" });
    const alert = inspector.getByRole("alert");
    await expect(alert).toContainText("Could not load the run");
    await expect(alert).toContainText("Something went wrong on the server.");
    await expect(alert).toContainText(REQUEST_ID);

    await page.unroute(`**/api/v1/runs/${id}*`);
    await alert.getByRole("button", { name: "Try again" }).click();
    await expect(alert).toBeHidden();
    await expect(inspector).toContainText("Credit account is done.");
  });

  test("a list keeps its filters while it fails", async ({ page }) => {
    const { accountId } = await aCompletedRun();
    await page.route("**/api/v1/stream", (route) => route.abort());
    await page.goto("/runs");
    await expect(page.getByRole("row").nth(1)).toBeVisible();
    await page.route(/\/api\/v1\/runs\?/, trouble);
    await page.getByRole("combobox", { name: "Filter runs" }).fill(accountId);
    const alert = page.getByRole("main").getByRole("alert");
    await expect(alert).toContainText("Could not load the runs");
    await expect(page.getByRole("combobox", { name: "Filter runs" })).toHaveValue(accountId);
    await expect(page).toHaveURL(`/runs?q=${accountId}`);
    await page.unroute(/\/api\/v1\/runs\?/);
    await alert.getByRole("button", { name: "Try again" }).click();
    await expect(page.getByRole("row")).toHaveCount(2);
  });

  test("an action whose answer was an error is safe to press again", async ({ page }) => {
    const accountId = freshId("acc");
    const keys: (string | undefined)[] = [];
    let failures = 1;
    await page.route("**/api/v1/runs", async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      keys.push(route.request().headers()["idempotency-key"]);
      if (failures-- > 0) {
        await route.fetch(); // it was done, and the answer did not come
        return trouble(route);
      }
      return route.continue();
    });
    await page.goto("/runs");
    await page.getByRole("button", { name: "Start a run" }).click();
    const dialog = page.getByRole("dialog", { name: "Start a run" });
    await dialog.getByRole("combobox", { name: "Workflow" }).selectOption("account-credit");
    await dialog.getByRole("textbox", { name: "accountId" }).fill(accountId);
    await dialog.getByRole("textbox", { name: "amountCents" }).fill("100");
    await dialog.getByRole("button", { name: "Start", exact: true }).click();
    await expect(dialog.getByRole("alert")).toContainText("Something went wrong on the server.");
    await dialog.getByRole("button", { name: "Start", exact: true }).click();
    await expect(page).toHaveURL(/\/runs\/[0-9a-f-]{36}$/);
    expect(keys[0]).toBeTruthy();
    expect(keys).toEqual([keys[0], keys[0]]);
    expect((await handrail.runs({ q: accountId })).runs).toHaveLength(1);
  });
});

test.describe("where there is nothing", () => {
  test.use({ expectedErrors: /404 \(Not Found\)/ });

  test("an unknown run is said to be one, with a way on", async ({ page }) => {
    await page.goto("/runs/01a00000-0000-7000-8000-000000000000");
    await expect(page.getByText("Run not found")).toBeVisible();
    await page.getByRole("link", { name: "All runs" }).click();
    await expect(page).toHaveURL("/runs");
  });

  test("an unknown schedule is said to be one, with a way on", async ({ page }) => {
    await page.goto("/schedules/never-defined");
    await expect(page.getByText("Schedule not found")).toBeVisible();
    await page.getByRole("link", { name: "All schedules" }).click();
    await expect(page).toHaveURL("/schedules");
  });

  test("an unknown address is said to be one, with a way on", async ({ page }) => {
    await page.goto("/nowhere");
    await expect(page.getByText("There is nothing at this address")).toBeVisible();
    await page.getByRole("link", { name: "Inbox" }).first().click();
    await expect(page.getByRole("heading", { level: 1, name: "Inbox" })).toBeVisible();
  });
});

test("a filter that nothing fits offers to be cleared", async ({ page }) => {
  await page.goto("/runs?status=paused&workflow=delivery-letter");
  await expect(page.getByText("No runs match these filters")).toBeVisible();
  await expect(page.getByText("Others may match.")).toBeVisible();
  await page.getByRole("button", { name: "Clear the filters" }).click();
  await expect(page.getByRole("row").nth(1)).toBeVisible();
});
