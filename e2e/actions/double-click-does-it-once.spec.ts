import { handrail, untilRun } from "../support/api";
import { expect, test } from "../support/console-errors";
import { chargesOf } from "../support/ledger";
import { batchFailedInAnOutage, freshId } from "../support/orders";
import { expectStatus, openRun, reasonIn } from "../support/screen";

test("a rerun that is clicked twice is one rerun, and so is its request sent again", async ({
  page,
  request,
  baseURL,
}) => {
  const { orderId, step, run } = await batchFailedInAnOutage();
  await openRun(page, run.id);
  const sent: { url: string; headers: Record<string, string>; data: string }[] = [];
  page.on("request", (asked) => {
    if (asked.method() === "POST" && asked.url().endsWith("/executions"))
      sent.push({ url: asked.url(), headers: asked.headers(), data: asked.postData() ?? "" });
  });
  await page.getByRole("button", { name: `Rerun from ${step}…` }).click();
  const dialog = page.getByRole("dialog");
  await reasonIn(dialog).fill("The gateway is back");
  await dialog.getByRole("button", { name: "Rerun", exact: true }).dblclick();
  await expect(dialog).toBeHidden();
  await expectStatus(page, "Completed");

  expect(sent).toHaveLength(1);
  const [first] = sent as [(typeof sent)[number]];
  const again = await request.post(first.url, {
    headers: {
      origin: baseURL ?? "",
      "content-type": "application/json",
      "idempotency-key": first.headers["idempotency-key"] ?? "",
    },
    data: first.data,
  });
  expect(again.status()).toBe(200);
  const after = await untilRun(run.id, "completed");
  expect(after.generation).toBe(2);
  expect(after.audit).toHaveLength(1);
  expect(await chargesOf(orderId)).toMatchObject([{ requests: 1 }]);
});

test("a start that is clicked twice starts once", async ({ page }) => {
  const accountId = freshId("acc");
  await page.goto("/runs");
  await page.getByRole("button", { name: "Start a run" }).click();
  const dialog = page.getByRole("dialog", { name: "Start a run" });
  await dialog.getByRole("combobox", { name: "Workflow" }).selectOption("account-credit");
  await dialog.getByRole("textbox", { name: "accountId" }).fill(accountId);
  await dialog.getByRole("textbox", { name: "amountCents" }).fill("500");
  await dialog.getByRole("button", { name: "Start", exact: true }).dblclick();
  await expect(page).toHaveURL(/\/runs\/[0-9a-f-]{36}$/);
  await expectStatus(page, "Completed");
  const { runs } = await handrail.runs({ q: accountId });
  expect(runs).toHaveLength(1);
  expect(runs[0]?.output).toEqual({ accountId, balanceCents: 500 });
});
