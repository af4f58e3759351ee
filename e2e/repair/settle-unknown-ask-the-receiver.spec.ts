import { handrail, stepOf, untilAttention, untilRun } from "../support/api";
import { expect, test } from "../support/console-errors";
import { during } from "../support/faults";
import { job } from "../support/job";
import { chargesOf, mailTo } from "../support/ledger";
import { freshId, orderWithUnknownCharge } from "../support/orders";
import { carryOut, expectStatus, openRun } from "../support/screen";

job("@job-3", () => {
  test("the gateway finds the charge under its key, and the run continues", async ({ page, hands }) => {
    const { orderId, run } = await orderWithUnknownCharge();
    const [charge] = await chargesOf(orderId);
    if (!charge) throw new Error("no charge");

    await openRun(page, run.id);
    await expectStatus(page, "Outcome unknown");
    await hands.press(page.getByRole("button", { name: "Resolve the unknown step…" }));
    const dialog = page.getByRole("dialog", { name: "Resolve charge-payment" });
    await expect(dialog.getByTitle(`${run.id}:charge-payment:1`)).toBeVisible();
    await expect(dialog.getByRole("radio", { name: "Check with provider" })).toBeChecked();
    await carryOut(dialog, "Check with provider", "The gateway is back", hands);

    await expectStatus(page, "Completed");
    const after = await untilRun(run.id, "completed");
    expect(stepOf(after, "charge-payment")).toMatchObject({ status: "completed", reference: charge.id });
    expect(await chargesOf(orderId)).toEqual([charge]);
  });
});

test("where the code cannot check with the provider, the dialog says so, and the step can be skipped", async ({
  page,
}) => {
  const email = `${freshId("e")}@shop.example`;
  const run = await during("mail", { mode: "lose-answer", times: 1 }, async () => {
    const { id } = await handrail.start({ workflow: "welcome-reminder", input: { email, delaySeconds: 0 } });
    return untilAttention(id, "outcome_unknown");
  });
  await openRun(page, run.id);
  await page.getByRole("button", { name: "Resolve the unknown step…" }).click();
  const dialog = page.getByRole("dialog", { name: "Resolve send-welcome" });
  const ask = dialog.getByRole("radio", { name: "Check with provider" });
  await expect(ask).toBeDisabled();
  await expect(ask).toHaveAccessibleDescription(
    "This step's code cannot check. Look up the idempotency key at the provider yourself.",
  );
  await dialog.getByRole("radio", { name: "Skip step" }).click();
  await carryOut(dialog, "Skip the step", "They were welcomed by telephone");
  await expectStatus(page, "Completed");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("1 step was skipped.");
  expect((await mailTo(email)).map(({ subject }) => subject)).toEqual(["Welcome", "A reminder"]);
});
