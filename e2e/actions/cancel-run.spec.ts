import { handrail, untilRun } from "../support/api";
import { expect, test } from "../support/console-errors";
import { during } from "../support/faults";
import { mailTo } from "../support/ledger";
import { freshId, startedOrder } from "../support/orders";
import { carryOut, chooseAct, expectStatus, openRun } from "../support/screen";

const HOUR_MS = 3_600_000;

test("a run that has not begun is cancelled at once", async ({ page }) => {
  const accountId = freshId("acc");
  const { id } = await handrail.start({
    workflow: "account-credit",
    input: { accountId, amountCents: 500 },
    runAt: new Date(Date.now() + HOUR_MS).toISOString(),
  });
  await openRun(page, id);
  await expectStatus(page, "Pending");
  await expect(page.getByText("Starts later")).toBeVisible();
  await chooseAct(page, "Cancel the run…");
  await carryOut(page.getByRole("dialog", { name: "Cancel this run" }), "Cancel the run", "Ordered twice by mistake");
  await expectStatus(page, "Cancelled");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Cancelled. No step had completed.");
  expect(await handrail.run(id)).toMatchObject({ status: "cancelled", steps: [] });
});

test("a run that sleeps is cancelled, and what it did stays done", async ({ page }) => {
  const email = `${freshId("e")}@shop.example`;
  const { id } = await handrail.start({ workflow: "welcome-reminder", input: { email, delaySeconds: 3_600 } });
  await untilRun(id, "waiting");
  await openRun(page, id);
  await expectStatus(page, "Sleeping");
  await chooseAct(page, "Cancel the run…");
  const dialog = page.getByRole("dialog", { name: "Cancel this run" });
  await expect(dialog).toContainText("1 step already done stays done.");
  await carryOut(dialog, "Cancel the run", "They left");
  await expectStatus(page, "Cancelled");
  expect((await handrail.run(id)).status).toBe("cancelled");
  expect(await mailTo(email)).toHaveLength(1);
});

test("a charge that was under way when its run was cancelled is not forgotten", async ({ page }) => {
  const { run } = await during("payments", { mode: "slow", delayMs: 8_000, times: 1 }, async () => {
    const order = await startedOrder();
    await expect.poll(async () => (await handrail.run(order.run.id)).summary).toContain("Charge payment is running.");
    await openRun(page, order.run.id);
    await chooseAct(page, "Cancel the run…");
    await carryOut(page.getByRole("dialog"), "Cancel the run", "The wrong customer");
    return order;
  });
  // The gateway has received the request: its outcome is unknown, and the console says so.
  await expectStatus(page, "Outcome unknown");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Cancelled. Create order is done.");
  await expect(page.getByRole("button", { name: "Resolve the unknown step…" })).toBeVisible();
  expect(await untilRun(run.id, "cancelled")).toMatchObject({ attention: "outcome_unknown" });
});
