import type { Page } from "@playwright/test";
import { handrail } from "../support/api";
import { expect, test } from "../support/console-errors";
import { freshId } from "../support/orders";
import { expectStatus } from "../support/screen";

async function openForm(page: Page, workflow: string) {
  await page.goto("/runs");
  await page.getByRole("button", { name: "Start a run" }).click();
  const dialog = page.getByRole("dialog", { name: "Start a run" });
  await dialog.getByRole("combobox", { name: "Workflow" }).selectOption(workflow);
  return {
    dialog,
    part: (name: string) => dialog.getByRole("textbox", { name }),
    json: dialog.getByRole("textbox", { name: "Input (JSON)" }),
    key: dialog.getByRole("textbox", { name: /^Idempotency key/ }),
    start: dialog.getByRole("button", { name: "Start", exact: true }),
  };
}

function countPosts(page: Page) {
  const posts = { count: 0 };
  page.on("request", (request) => {
    if (request.method() === "POST") posts.count++;
  });
  return posts;
}

test("a run is started with a form made of what its workflow asks for", async ({ page }) => {
  const accountId = freshId("acc");
  const { part, start } = await openForm(page, "account-credit");
  await part("accountId").fill(accountId);
  await part("amountCents").fill("250");
  await start.click();
  await expect(page).toHaveURL(/\/runs\/[0-9a-f-]{36}$/);
  await expectStatus(page, "Completed");
  const { runs } = await handrail.runs({ q: accountId });
  expect(runs).toMatchObject([{ status: "completed", output: { accountId, balanceCents: 250 } }]);
});

test("an input that does not fit is reported while typing, field by field, and nothing is sent", async ({ page }) => {
  const { dialog, part, start } = await openForm(page, "order-fulfilment");
  const posts = countPosts(page);
  await part("amountCents").fill("-5");
  await expect(part("amountCents")).toHaveAccessibleDescription(/^Too small/);
  await part("email").fill("nobody");
  await start.click();
  await expect(part("email")).toHaveAccessibleDescription("Invalid email address");
  await expect(part("orderId")).toHaveAccessibleDescription("Required");
  await expect(part("orderId")).toBeFocused();
  expect(posts.count).toBe(0);
  await dialog.getByRole("button", { name: "Fill in" }).click();
  await page.getByRole("menuitem", { name: /^The example/ }).click();
  await expect(part("email")).not.toHaveAccessibleDescription(/./);
});

test("what is not JSON yet is not sent", async ({ page }) => {
  const { dialog, json, start } = await openForm(page, "account-credit");
  const posts = countPosts(page);
  await dialog.getByRole("radio", { name: "JSON" }).click();
  await json.fill('{ "accountId": ');
  await expect(json).toHaveAccessibleDescription(/^Invalid JSON/);
  await start.click();
  await expect(json).toBeVisible();
  expect(posts.count).toBe(0);
});

test.describe("the same key", () => {
  test.use({ expectedErrors: /409 / });

  test("starts once: the second start opens the first run, and with another input it is refused", async ({ page }) => {
    const accountId = freshId("acc");
    const runKey = freshId("key");
    const first = await openForm(page, "account-credit");
    await first.part("accountId").fill(accountId);
    await first.part("amountCents").fill("250");
    await first.key.fill(runKey);
    await first.start.click();
    await expectStatus(page, "Completed");
    const url = page.url();

    const second = await openForm(page, "account-credit");
    await second.part("accountId").fill(accountId);
    await second.part("amountCents").fill("250");
    await second.key.fill(runKey);
    await second.start.click();
    await expect(page).toHaveURL(url);

    const third = await openForm(page, "account-credit");
    await third.part("accountId").fill(accountId);
    await third.part("amountCents").fill("300");
    await third.key.fill(runKey);
    await third.start.click();
    await expect(third.dialog.getByRole("alert")).toBeVisible();
    expect((await handrail.runs({ q: accountId })).runs).toHaveLength(1);
  });
});
