import { handrail, stepOf, untilAttention, untilRun } from "../support/api";
import { expect, test } from "../support/console-errors";
import { during } from "../support/faults";
import { job } from "../support/job";
import { chargesOf, mailTo } from "../support/ledger";
import { freshId, orderWithUnknownCharge } from "../support/orders";
import { carryOut, expectStatus, openRun } from "../support/screen";

job("@job-3", () => {
  test("the gateway is asked, finds the charge under its key, and the run goes on", async ({ page, hands }) => {
    const { orderId, run } = await orderWithUnknownCharge();
    const [charge] = await chargesOf(orderId);
    if (!charge) throw new Error("no charge");

    await openRun(page, run.id);
    await expectStatus(page, "Outcome unknown");
    await hands.press(page.getByRole("button", { name: "Settle the unknown step…" }));
    const dialog = page.getByRole("dialog", { name: "What became of charge-payment?" });
    await expect(dialog.getByTitle(`${run.id}:charge-payment:1`)).toBeVisible();
    await expect(dialog.getByRole("radio", { name: "Ask the receiver" })).toBeChecked();
    await carryOut(dialog, "Ask the receiver", "The gateway is back", hands);

    await expectStatus(page, "Completed");
    const after = await untilRun(run.id, "completed");
    expect(stepOf(after, "charge-payment")).toMatchObject({ status: "completed", reference: charge.id });
    expect(await chargesOf(orderId)).toEqual([charge]);
  });
});

test("a receiver that cannot be asked is said to be one, and the step can be skipped", async ({ page }) => {
  const email = `${freshId("e")}@shop.example`;
  const run = await during("mail", { mode: "lose-answer", times: 1 }, async () => {
    const { id } = await handrail.start({ workflow: "welcome-reminder", input: { email, delaySeconds: 0 } });
    return untilAttention(id, "outcome_unknown");
  });
  await openRun(page, run.id);
  await page.getByRole("button", { name: "Settle the unknown step…" }).click();
  const dialog = page.getByRole("dialog", { name: "What became of send-welcome?" });
  const ask = dialog.getByRole("radio", { name: "Ask the receiver" });
  await expect(ask).toBeDisabled();
  await expect(ask).toHaveAccessibleDescription(
    "This step's code cannot ask. Look there yourself, with the idempotency key.",
  );
  await dialog.getByRole("radio", { name: "Skip it" }).click();
  await carryOut(dialog, "Skip the step", "They were welcomed by telephone");
  await expectStatus(page, "Completed");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("1 step was skipped.");
  expect((await mailTo(email)).map(({ subject }) => subject)).toEqual(["Welcome", "A reminder"]);
});
