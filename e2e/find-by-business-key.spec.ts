import { handrail, untilRun } from "./support/api";
import { expect, test } from "./support/console-errors";
import { freshId } from "./support/orders";
import { runRow } from "./support/screen";

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
  const search = page.getByRole("searchbox", { name: "Find runs by any id or business key" });
  await expect(page.getByRole("row").nth(1)).toBeVisible();

  for (const named of [id, id.slice(0, 13), accountId, idempotencyKey, String(tags.ticket), ` ${accountId} `]) {
    await search.fill(named);
    await expect(page.getByRole("row")).toHaveCount(2);
    await expect(page.getByRole("row").getByRole("link")).toHaveAttribute("href", `/runs/${id}`);
  }
  await search.press("Enter");
  await expect(page).toHaveURL(`/runs/${id}`);
});

test("from any page the search leads to the runs that carry the key", async ({ page }) => {
  const accountId = freshId("acc");
  const { id } = await handrail.start({ workflow: "account-credit", input: { accountId, amountCents: 100 } });
  await page.goto("/workers");
  const search = page.getByRole("searchbox", { name: "Find a run by any id or business key" });
  await search.fill(accountId);
  await search.press("Enter");
  await expect(page).toHaveURL(`/runs?q=${accountId}`);
  await expect(runRow(page, accountId).getByRole("link")).toHaveAttribute("href", `/runs/${id}`);
});

test("what nobody has is said to be nowhere, and the way back is one press", async ({ page }) => {
  const nobody = freshId("nobody");
  await page.goto(`/runs?q=${nobody}`);
  await expect(page.getByText("No run fits these filters")).toBeVisible();
  await expect(page.getByText(`Nothing has ${nobody} as its id`)).toBeVisible();
  await page.getByRole("button", { name: "Clear the filters" }).click();
  await expect(page).toHaveURL("/runs");
  await expect(page.getByRole("row").nth(1)).toBeVisible();
});
