import { handrail, untilRun } from "./support/api";
import { expect, test } from "./support/console-errors";
import { during } from "./support/faults";
import { chargesOf } from "./support/ledger";
import { freshId, startedOrder } from "./support/orders";
import { carryOut, chooseAct, expectStatus, openRun } from "./support/screen";

test("a run that sleeps is paused, says who and why, and goes on when it is resumed", { tag: "@phone" }, async ({
  page,
}) => {
  const email = `${freshId("e")}@shop.example`;
  const { id } = await handrail.start({ workflow: "welcome-reminder", input: { email, delaySeconds: 3_600 } });
  await untilRun(id, "waiting");
  await openRun(page, id);
  await chooseAct(page, "Pause the run…");
  const dialog = page.getByRole("dialog", { name: "Pause this run" });
  await expect(dialog).toContainText("no timer of it fires");
  await carryOut(dialog, "Pause the run", "The mail server is being moved");
  await expectStatus(page, "Paused");
  await expect(page.getByText("It is paused")).toBeVisible();
  await expect(page.getByText("The mail server is being moved")).toBeVisible();
  await page.getByRole("button", { name: "Resume the run…" }).click();
  await carryOut(page.getByRole("dialog", { name: "Resume this run" }), "Resume the run", "Moved");
  await expectStatus(page, "Sleeping");
  expect((await handrail.run(id)).audit.map(({ act }) => act)).toEqual(["resume", "pause"]);
});

test("a charge in flight is let finish before its run is paused", async ({ page }) => {
  const { run, orderId } = await during("payments", { mode: "slow", delayMs: 6_000, times: 1 }, async () => {
    const order = await startedOrder();
    await expect.poll(async () => (await handrail.run(order.run.id)).summary).toContain("Charge payment is running.");
    await openRun(page, order.run.id);
    await chooseAct(page, "Pause the run…");
    const dialog = page.getByRole("dialog", { name: "Pause this run" });
    await expect(dialog).toContainText("charge-payment in flight finishes and is recorded first");
    await carryOut(dialog, "Pause the run", "The gateway is slow");
    await expect(page.getByRole("heading", { level: 1 })).toContainText("Being paused");
    return order;
  });
  await untilRun(run.id, "paused");
  await expectStatus(page, "Paused");
  expect(await chargesOf(orderId)).toHaveLength(1);
  await page.getByRole("button", { name: "Resume the run…" }).click();
  await carryOut(page.getByRole("dialog", { name: "Resume this run" }), "Resume the run", "It is quick again");
  await untilRun(run.id, "completed");
  expect(await chargesOf(orderId)).toHaveLength(1);
});
