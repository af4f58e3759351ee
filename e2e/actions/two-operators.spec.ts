import { handrail, untilRun } from "../support/api";
import { expect, test } from "../support/console-errors";
import { declinedOrder } from "../support/orders";
import { carryOut, expectStatus, openRun, reasonIn } from "../support/screen";

// The browser's own line about the refusal.
test.use({ expectedErrors: /409 \(Conflict\)/ });

test("an action decided on stale data is refused, and shows the current state", async ({ page }) => {
  const { run } = await declinedOrder();
  await openRun(page, run.id);
  await page.getByRole("button", { name: "Pause updating" }).click();
  await page.getByRole("button", { name: "Rerun from charge-payment…" }).click();
  const dialog = page.getByRole("dialog", { name: "Rerun from charge-payment" });
  await reasonIn(dialog).fill("The card was topped up");

  await handrail.rerun(run.id, { reason: "Another operator was faster" });
  await untilRun(run.id, "failed");
  await dialog.getByRole("button", { name: "Rerun", exact: true }).click();

  await expect(dialog.getByRole("alert")).toContainText("Already done: the run is failed.");
  expect((await handrail.run(run.id)).generation).toBe(2);
  await dialog.getByRole("button", { name: "Show current state" }).click();
  await expect(dialog.getByText("The run has changed since this opened.")).toBeHidden();
  await expect(reasonIn(dialog)).toHaveValue("The card was topped up");
  await dialog.getByRole("button", { name: "Rerun", exact: true }).click();
  await expect(dialog).toBeHidden();

  const { generation, audit } = await handrail.run(run.id);
  expect(generation).toBe(3);
  expect(audit.map(({ reason, result }) => [reason, result])).toEqual([
    ["The card was topped up", "done"],
    ["The card was topped up", "denied"],
    ["Another operator was faster", "done"],
  ]);
  await page.getByRole("tab", { name: /^Audit/ }).click();
  await expect(page.getByRole("tabpanel", { name: /^Audit/ }).getByRole("listitem")).toContainText(
    audit.map(({ reason }) => reason),
  );
});

test("a second operator sees that another was faster, before pressing anything", async ({ page, browser }) => {
  const { run } = await declinedOrder();
  const other = await (await browser.newContext()).newPage();
  await Promise.all([openRun(page, run.id), openRun(other, run.id)]);
  await page.getByRole("button", { name: "Rerun from charge-payment…" }).click();
  const dialog = page.getByRole("dialog", { name: "Rerun from charge-payment" });
  await expect(dialog).toBeVisible();

  await other.getByRole("button", { name: "Rerun from charge-payment…" }).click();
  await carryOut(other.getByRole("dialog"), "Rerun", "I was here first");
  await expect(dialog.getByRole("status")).toContainText("The run has changed since this opened.");
  await dialog.getByRole("button", { name: "Close" }).first().click();
  await expectStatus(page, "Failed");
  await expect(page.getByText("I was here first")).toBeVisible();
  await other.context().close();
});
