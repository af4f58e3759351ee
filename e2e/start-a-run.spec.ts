import type { Page } from "@playwright/test";
import { handrail } from "./support/api";
import { expect, test } from "./support/console-errors";
import { freshId } from "./support/orders";
import { expectStatus } from "./support/screen";

async function openForm(page: Page, workflow: string) {
  await page.goto("/runs");
  await page.getByRole("button", { name: "Start a run" }).click();
  const dialog = page.getByRole("dialog", { name: "Start a run" });
  await dialog.getByRole("combobox", { name: "Workflow" }).selectOption(workflow);
  return {
    dialog,
    input: dialog.getByRole("textbox", { name: "Input (JSON)" }),
    key: dialog.getByRole("textbox", { name: /^Idempotency key/ }),
    start: dialog.getByRole("button", { name: "Start", exact: true }),
  };
}

test("a run is started from a draft in the shape that its workflow asks for", async ({ page }) => {
  const accountId = freshId("acc");
  const { input, start } = await openForm(page, "account-credit");
  await expect(input).toHaveValue(JSON.stringify({ accountId: "accountId", amountCents: 1 }, null, 2));
  await input.fill(JSON.stringify({ accountId, amountCents: 250 }));
  await start.click();
  await expect(page).toHaveURL(/\/runs\/[0-9a-f-]{36}$/);
  await expectStatus(page, "Completed");
  const { runs } = await handrail.runs({ q: accountId });
  expect(runs).toMatchObject([{ status: "completed", output: { accountId, balanceCents: 250 } }]);
});

test.describe("an input that does not fit", () => {
  // The browser's own line about the refusal.
  test.use({ expectedErrors: /422 |400 / });

  test("is refused field by field, and nothing is started", async ({ page }) => {
    const orderId = freshId("E");
    const { dialog, input, start } = await openForm(page, "order-fulfilment");
    await input.fill(JSON.stringify({ orderId, amountCents: -5, email: "nobody" }));
    await start.click();
    const alert = dialog.getByRole("alert");
    await expect(alert.getByRole("listitem").filter({ hasText: /^amountCents: / })).toBeVisible();
    await expect(alert.getByRole("listitem").filter({ hasText: /^email: / })).toBeVisible();
    await expect(alert.getByRole("button", { name: "Copy the request's id" })).toBeVisible();
    await expect(dialog.getByRole("textbox", { name: "Input (JSON)" })).toHaveValue(/nobody/);
    expect((await handrail.runs({ q: orderId })).runs).toEqual([]);
  });
});

test("what is not JSON yet is not sent", async ({ page }) => {
  const { input, start } = await openForm(page, "account-credit");
  let asked = 0;
  page.on("request", (request) => {
    if (request.method() === "POST") asked++;
  });
  await input.fill('{ "accountId": ');
  await expect(input).toHaveAccessibleDescription(/^This is not JSON yet/);
  await start.click();
  await expect(input).toBeVisible();
  expect(asked).toBe(0);
});

test.describe("the same key", () => {
  test.use({ expectedErrors: /409 / });

  test("starts once: the second start opens the first run, and with another input it is refused", async ({ page }) => {
    const accountId = freshId("acc");
    const runKey = freshId("key");
    const first = await openForm(page, "account-credit");
    await first.input.fill(JSON.stringify({ accountId, amountCents: 250 }));
    await first.key.fill(runKey);
    await first.start.click();
    await expectStatus(page, "Completed");
    const url = page.url();

    const second = await openForm(page, "account-credit");
    await second.input.fill(JSON.stringify({ accountId, amountCents: 250 }));
    await second.key.fill(runKey);
    await second.start.click();
    await expect(page).toHaveURL(url);

    const third = await openForm(page, "account-credit");
    await third.input.fill(JSON.stringify({ accountId, amountCents: 300 }));
    await third.key.fill(runKey);
    await third.start.click();
    await expect(third.dialog.getByRole("alert")).toBeVisible();
    expect((await handrail.runs({ q: accountId })).runs).toHaveLength(1);
  });
});
