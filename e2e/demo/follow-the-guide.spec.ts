import type { Page } from "@playwright/test";
import { handrail, stepOf, untilRun } from "../support/api";
import { expect, test } from "../support/console-errors";
import { chargesOf } from "../support/ledger";
import { carryOut, expectStatus } from "../support/screen";

/** Of the demo's own data: see demo/seed.ts. */
const UNKNOWN_ORDER = "A-20409";
const REFUND_ORDER = "A-20388";

const guideOf = (page: Page) =>
  page.locator("section").filter({ has: page.getByRole("heading", { name: /^Your first outage/ }) });

/** By the guide's own link, from the inbox. */
async function take(page: Page, step: string): Promise<void> {
  await page
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: /^Inbox/ })
    .click();
  await guideOf(page).getByRole("link", { name: step }).click();
}

async function expectDone(page: Page, done: number): Promise<void> {
  await page
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: /^Inbox/ })
    .click();
  await expect(guideOf(page).getByText("(done)")).toHaveCount(done);
}

const runOf = async (orderId: string) => {
  const [run] = (await handrail.runs({ q: orderId })).runs;
  if (!run) throw new Error(`The demo has no order ${orderId}.`);
  return run;
};

test("the guide leads through the outage and out of it, and no card is charged twice", async ({ page }) => {
  await page.goto("/");
  await expect(guideOf(page).getByText("· 0 of 6")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Needs attention" })).toBeVisible();

  await test.step("view what failed", async () => {
    await take(page, "View what failed");
    await expect(page).toHaveURL("/runs?attention=failed");
    await expect(page.getByRole("row").filter({ hasText: "charge-payment" }).nth(10)).toBeVisible();
    await expectDone(page, 1);
  });

  await test.step("switch the gateway back on", async () => {
    await take(page, "Switch the gateway back on");
    const gateway = page.getByRole("radiogroup", { name: "Payment gateway: fault" });
    await expect(gateway.getByRole("radio", { name: "Down" })).toBeChecked();
    await gateway.getByRole("radio", { name: "Works" }).click();
    await expect(gateway.getByRole("radio", { name: "Works" })).toBeChecked();
    await expectDone(page, 2);
  });

  const orderId = await test.step("rerun one from its failed step", async () => {
    await take(page, "Rerun one from its failed step");
    await expectStatus(page, "Failed");
    const runId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    await page.getByRole("button", { name: "Rerun from charge-payment…" }).click();
    await carryOut(page.getByRole("dialog", { name: "Rerun from charge-payment" }), "Rerun", "The gateway is back");
    await expectStatus(page, "Completed");
    await expectDone(page, 3);
    return String((await untilRun(runId, "completed")).tags.orderId);
  });

  await test.step("check that nothing was charged twice", async () => {
    await take(page, "Check that nothing was charged twice");
    await expect(page.getByText("No card was charged twice.")).toBeVisible();
    const charge = page.getByRole("listitem").filter({ has: page.getByRole("link", { name: orderId, exact: true }) });
    await expect(charge).toContainText("requested once, charged once");
    expect(await chargesOf(orderId)).toMatchObject([{ requests: 1 }]);
    await expectDone(page, 4);
  });

  await test.step("resolve the unknown charge", async () => {
    const [charge] = await chargesOf(UNKNOWN_ORDER);
    await take(page, "Resolve the unknown charge");
    await expectStatus(page, "Outcome unknown");
    await page.getByRole("button", { name: "Resolve the unknown step…" }).click();
    const dialog = page.getByRole("dialog", { name: "Resolve charge-payment" });
    await carryOut(dialog, "Check with provider", "The gateway answers again");
    await expectStatus(page, "Completed");
    expect(await chargesOf(UNKNOWN_ORDER)).toEqual([charge]);
    await expectDone(page, 5);
  });

  await test.step("mark the failed refund", async () => {
    const { id } = await runOf(REFUND_ORDER);
    await take(page, "Mark the failed refund as done");
    const item = page.getByRole("listitem").filter({ hasText: `Compensate charge-payment · ${REFUND_ORDER}` });
    await expect(item).toContainText("payments is down; nothing was done");
    await item.getByRole("button", { name: "Mark compensated…" }).click();
    const dialog = page.getByRole("dialog", { name: "Resolve compensation of charge-payment" });
    await dialog.getByRole("textbox", { name: "What was done" }).fill("Refunded in the gateway's console");
    await dialog.getByRole("button", { name: "Mark compensated" }).click();
    await expect(dialog).toBeHidden();
    const after = await untilRun(id, "compensated");
    expect(stepOf(after, "charge-payment").compensation).toMatchObject({ status: "completed", by: "operator" });
    await expectDone(page, 6);
  });

  await test.step("what is left is the same again, and the guide can go", async () => {
    await expect(guideOf(page)).toContainText(/Left to rerun the same way: \d+ runs/);
    await guideOf(page).getByRole("button", { name: "Hide permanently" }).click();
    await expect(guideOf(page)).toBeHidden();
    await page.reload();
    await expect(page.getByRole("heading", { name: "Needs attention" })).toBeVisible();
    await expect(guideOf(page)).toBeHidden();
  });
});
