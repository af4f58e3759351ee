import { handrail, untilRun } from "../support/api";
import { expectNoAxeViolations } from "../support/axe";
import { expect, test } from "../support/console-errors";
import { freshId } from "../support/orders";
import { openPalette } from "../support/screen";

test("whatever a customer or a log names is pasted, and the run is there", async ({ page }) => {
  const accountId = freshId("acc");
  const idempotencyKey = freshId("key");
  const { id } = await handrail.start({
    workflow: "account-credit",
    input: { accountId, amountCents: 100 },
    idempotencyKey,
    tags: { ticket: freshId("ticket") },
  });
  const { tags } = await untilRun(id, "completed");
  await page.goto("/runs");
  const search = page.getByRole("combobox", { name: "Filter runs" });
  await expect(page.getByRole("row").nth(1)).toBeVisible();

  for (const named of [id, id.slice(0, 13), accountId, idempotencyKey, String(tags.ticket), ` ${accountId} `]) {
    await search.fill(named);
    await expect(page.getByRole("row")).toHaveCount(2);
    await expect(page.getByRole("row").getByRole("link")).toHaveAttribute("href", `/runs/${id}`);
  }
  await search.press("Enter");
  await expect(page).toHaveURL(`/runs/${id}`);
});

test("Enter right behind a key opens its run, not the one that was at the top", async ({ page }) => {
  const accountId = freshId("acc");
  const { id } = await handrail.start({ workflow: "account-credit", input: { accountId, amountCents: 100 } });
  await untilRun(id, "completed");
  await handrail.start({ workflow: "account-credit", input: { accountId: freshId("acc"), amountCents: 100 } });
  await page.goto("/runs");
  await expect(page.getByRole("row").nth(1)).toBeVisible();
  const search = page.getByRole("combobox", { name: "Filter runs" });
  await search.fill(accountId);
  await search.press("Enter");
  await expect(page).toHaveURL(`/runs/${id}`);
  await page.goBack();
  await expect(page).toHaveURL(`/runs?q=${accountId}`);
});

test("from any page the palette finds what carries the key, and acts on what is in view", async ({ page }) => {
  const accountId = freshId("acc");
  const { id } = await handrail.start({ workflow: "account-credit", input: { accountId, amountCents: 100 } });
  await page.goto("/workers");
  await expect(page.getByRole("heading", { level: 1, name: "Workers" })).toBeVisible();
  await openPalette(page);
  await page.keyboard.type(accountId);
  await expect(page.getByRole("option", { name: new RegExp(`${accountId}.*Completed`) })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/runs/${id}`);

  await expect(page.getByRole("heading", { level: 1 })).toContainText("Credit account is done.");
  await openPalette(page);
  await page.keyboard.type("start a new");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Start a new run" })).toBeVisible();
  await page.keyboard.press("Escape");

  // A whole id that is pasted needs no Enter, and leads there from anywhere.
  await page.goto("/workers");
  await expect(page.getByRole("heading", { level: 1, name: "Workers" })).toBeVisible();
  const palette = await openPalette(page, "/");
  await palette.evaluate((field, text) => {
    const data = new DataTransfer();
    data.setData("text/plain", text);
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
    document.execCommand("insertText", false, text);
  }, id);
  await expect(page).toHaveURL(`/runs/${id}`);
});

test("what nobody has is said to be nowhere, and the way back is one press", async ({ page }) => {
  const nobody = freshId("nobody");
  await page.goto(`/runs?q=${nobody}`);
  await expect(page.getByText("No runs match these filters")).toBeVisible();
  await expect(page.getByText(`Nothing has ${nobody} as its id`)).toBeVisible();
  await page.getByRole("button", { name: "Clear the filters" }).click();
  await expect(page).toHaveURL("/runs");
  await expect(page.getByRole("row").nth(1)).toBeVisible();
});

test("a run is called by the title that its workflow gives it: in the list, on its page, in plans, reports and the audit log", async ({
  page,
}) => {
  const sellerId = freshId("seller");
  const { id } = await handrail.start({
    workflow: "seller-payout",
    input: { sellerId, amountCents: 12_050, bankEmail: "bank@shop.example" },
    runAt: new Date(Date.now() + 3_600_000).toISOString(),
  });
  const title = `Payout of 120.50 to ${sellerId}`;
  await page.goto(`/runs?q=${sellerId}`);
  await page.getByRole("link", { name: title }).click();
  await page.goto(`/runs/${id}`);
  await expect(page).toHaveTitle(new RegExp(title));
  await expect(page.getByRole("navigation", { name: "Breadcrumb" })).toContainText(title);
  await expect(
    page.getByRole("banner").or(page.getByRole("main")).getByText(title).filter({ visible: true }).first(),
  ).toBeVisible();

  await page.goto(`/runs?q=${sellerId}`);
  await page.getByRole("checkbox", { name: `Select ${title}` }).click();
  await page.getByRole("button", { name: /^Cancel/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText(/^Run by run/).click();
  await expect(dialog.getByRole("link", { name: title })).toHaveAttribute("href", `/runs/${id}`);
  await expect(dialog.getByRole("button", { name: "Copy the run's id" })).toBeVisible();
  await expectNoAxeViolations(page);
  await page.keyboard.press("Escape");

  await handrail.cancel(id, { reason: `Not owed to ${sellerId}` });
  await page.goto(`/audit?runId=${id}`);
  const row = page.getByRole("listitem").filter({ hasText: `Not owed to ${sellerId}` });
  await expect(row.getByRole("link", { name: title })).toHaveAttribute("href", `/runs/${id}?tab=audit`);
  await expectNoAxeViolations(page);
});
